"""Several servers as one model, through fake transports."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import httpx
import pytest

from inference.models.protocol import GenerationSettings
from inference.models.server import ServerModel
from inference.models.server_address import ServerAddress
from inference.models.server_cluster import ServerCluster, load_cluster
from inference.models.server_errors import ServerGone
from inference.models.server_link import ServerLink
from inference.models.table import model_entry
from tests.inference.models.checkpoints import picture, prompt
from tests.inference.models.test_server import events, piece
from viewer.errors import UserError

URLS = tuple(f"http://127.0.0.{n}:9/v1" for n in (1, 2, 3))
Answer = Callable[[httpx.Request], httpx.Response]


def cluster(answers: dict[str, Answer], said: list[str]) -> ServerCluster:
    def member(url: str) -> ServerModel:
        transport = httpx.MockTransport(answers[url])
        link = ServerLink(ServerAddress(url), pauses=(), transport=transport)
        return ServerModel(model_entry("server:org/vlm"), link, addresses=" ".join(URLS))

    return ServerCluster(tuple(map(member, URLS)), said.append)


def counting(counts: Counter[str], url: str, dead: set[str]) -> Answer:
    def answer(request: httpx.Request) -> httpx.Response:
        if url in dead:
            raise httpx.ConnectError("refused")
        counts[url] += 1
        return httpx.Response(200, content=events(piece('{"answer": "A"}', "stop")))

    return answer


def ask(model: ServerCluster, seed: int) -> str:
    shown = prompt(picture(seed))
    reply = model.generate(shown, GenerationSettings(), lambda text: None, lambda: False)
    assert reply.revision == " ".join(URLS)
    return reply.text


def test_the_same_pictures_stay_with_one_server_and_all_are_used() -> None:
    counts: Counter[str] = Counter()
    model = cluster({url: counting(counts, url, set()) for url in URLS}, [])
    for seed in range(30):
        before = counts.copy()
        for _ in range(3):
            ask(model, seed)
        assert sorted((counts - before).values()) == [3]
    assert set(counts) == set(URLS)


def test_a_dead_server_is_set_aside_and_said_once() -> None:
    counts: Counter[str] = Counter()
    dead: set[str] = set()
    said: list[str] = []
    model = cluster({url: counting(counts, url, dead) for url in URLS}, said)
    dead.add(URLS[1])
    assert {ask(model, seed) for seed in range(20)} == {'{"answer": "A"}'}
    assert counts.total() == 20
    assert len(said) == 1
    assert said[0].startswith(f"{URLS[1]} is set aside")
    dead.update(URLS)
    with pytest.raises(ServerGone):
        ask(model, 1)


def test_where_no_server_runs_that_is_said_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "*")
    with pytest.raises(UserError, match=r"127\.0\.0\.1:9"):
        load_cluster(model_entry("server:org/vlm"), [URLS[0], URLS[0]])
    with pytest.raises(UserError, match="password"):
        load_cluster(model_entry("server:org/vlm"), ["http://u:p@127.0.0.1:9/v1"])


def test_two_servers_answers_are_two_asks() -> None:
    from inference.recording import key_of
    from tests.inference.test_ask import prepared

    one, other = (
        ServerModel(model_entry("server:org/vlm"), ServerLink(ServerAddress(url)), addresses=url)
        for url in URLS[:2]
    )
    asked = prepared("text-only")
    assert key_of(asked, one) != key_of(asked, other)
    assert key_of(asked, one) == key_of(replace(asked), one)
