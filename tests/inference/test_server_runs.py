"""Runs over servers: real HTTP on loopback, counted requests, one of them down."""

from __future__ import annotations

import json
import threading
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from inference.batch import Outcome, Servers, run
from inference.choices import Choices
from inference.desk import Desk
from inference.plans import Plan
from tests.inference.test_batch import QUESTIONS, desk

__all__ = ["desk"]

HOW = Choices("", "", "", "", score=False)
PLAN = Plan(
    ("server:org/vlm",), ("single-slice", "montage", "text-only"), ("original", "shuffled"), HOW
)
ASKS = 3 * 2 * len(QUESTIONS)
REPLY = json.dumps({"choices": [{"index": 0, "delta": {"content": '{"answer": "B"}'},
                                 "finish_reason": "stop"}]})  # fmt: skip


@dataclass
class Counted:
    """What the servers saw: prompts by server, and the most that were answered together."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    now: int = 0
    most: int = 0
    prompts: dict[int, list[str]] = field(default_factory=lambda: defaultdict(list))


@contextmanager
def servers(count: int, seen: Counted) -> Iterator[list[str]]:
    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *arguments: Any) -> None:
            pass

        def do_GET(self) -> None:
            self._send(b'{"data": [{"id": "org/vlm"}]}', "application/json")

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            with seen.lock:
                seen.now += 1
                seen.most = max(seen.most, seen.now)
                seen.prompts[self.server.server_address[1]].append(body)
            time.sleep(0.2)
            with seen.lock:
                seen.now -= 1
            self._send(f"data: {REPLY}\n\ndata: [DONE]\n\n".encode(), "text/event-stream")

        def _send(self, content: bytes, kind: str) -> None:
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

    made = [ThreadingHTTPServer(("127.0.0.1", 0), Handler) for _ in range(count)]
    threads = [threading.Thread(target=each.serve_forever, args=(0.05,)) for each in made]
    for thread in threads:
        thread.start()
    yield [f"http://127.0.0.1:{each.server_address[1]}/v1" for each in made]
    for each, thread in zip(made, threads, strict=True):
        each.shutdown()
        each.server_close()
        thread.join()


def ask_all(desk: Desk, plan: Plan, urls: list[str], concurrency: int = 3) -> Outcome:
    where = Servers(tuple(urls), concurrency)
    return run(desk, plan, lambda progress, text: None, lambda: False, where)


def pictures_of(body: str) -> str:
    content = json.loads(body)["messages"][0]["content"]
    parts = [content] if isinstance(content, str) else content
    return json.dumps([part for part in parts if part != str(part) and "image_url" in part])


@pytest.mark.parametrize("store", ["sqlite"], indirect=True)
class TestRunsOverServers:
    def test_servers_are_kept_busy_within_bounds_and_pictures_together(self, desk: Desk) -> None:
        seen = Counted()
        with servers(2, seen) as urls:
            outcome = ask_all(desk, PLAN, urls)
            again = ask_all(desk, PLAN, urls[::-1])
        assert (outcome.progress.asked, outcome.progress.failed) == (ASKS, 0)
        assert 1 < seen.most <= 3
        assert (again.progress.asked, again.progress.known) == (0, ASKS)
        where: dict[str, set[int]] = defaultdict(set)
        for port, bodies in seen.prompts.items():
            for body in bodies:
                if "image_url" in body:
                    where[pictures_of(body)].add(port)
        assert where
        assert all(len(ports) == 1 for ports in where.values())
        assert {record.raw for record in desk.records.select()} == {'{"answer": "B"}'}

    def test_a_server_that_is_down_is_set_aside_and_said(self, desk: Desk) -> None:
        seen = Counted()
        with servers(1, seen) as urls:
            outcome = ask_all(desk, PLAN, [*urls, "http://127.0.0.1:9/v1"])
        assert (outcome.progress.asked, outcome.progress.failed) == (ASKS, 0)
        assert [problem.file for problem in outcome.problems] == ["servers"]
        assert "127.0.0.1:9/v1 is set aside" in outcome.problems[0].reason

    def test_two_servers_answers_do_not_count_as_one(self, desk: Desk) -> None:
        plan = replace(PLAN, representations=("text-only",))
        seen = Counted()
        with servers(2, seen) as urls:
            asked = [ask_all(desk, plan, [url]).progress.asked for url in urls]
        assert asked == [2 * len(QUESTIONS)] * 2
        assert {record.revision for record in desk.records.select()} == set(urls)
