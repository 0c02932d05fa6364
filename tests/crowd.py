"""Users without a browser, who speak the page's own protocol, and the studies they look at."""

from __future__ import annotations

import csv
import hashlib
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import numpy as np
from gradio_client import Client
from gradio_client.client import Job

from tests.inference.studies import affine, brain, labels
from tests.viewer.images import save

SEQUENCES = {"T1": "t1", "T1c": "t1ce", "T2": "t2", "FLAIR": "flair"}
PATIENCE_S = 240
"""Of one request: twenty sessions may start at once on a busy machine."""

REPRESENTATIONS = ("single-slice", "multi-slice", "montage", "multi-montage", "volume")


@dataclass(frozen=True)
class Wish:
    """What one user asks; every user wants something else."""

    number: int

    @property
    def case(self) -> str:
        return f"BraTS2021_{self.number:05d}"

    @property
    def word(self) -> str:
        """Stands in this user's question and in nobody else's."""
        return "own" + hashlib.sha256(self.case.encode()).hexdigest()[:8]

    @property
    def representation(self) -> str:
        return REPRESENTATIONS[self.number % len(REPRESENTATIONS)]

    @property
    def letter(self) -> str:
        return "ABCD"[self.number % 4]

    @property
    def model(self) -> str:
        return f"fake:{self.letter}"


def write_studies(folder: Path, wishes: list[Wish]) -> Path:
    """A small study for each wish, all different, and the question file about them."""
    for wish in wishes:
        place = folder / wish.case
        for seed, name in enumerate(SEQUENCES.values()):
            voxels = brain(10 * wish.number + seed).astype(np.int16)
            save(place / f"{wish.case}_{name}.nii.gz", voxels, affine(), "RAS")
        save(place / f"{wish.case}_seg.nii.gz", labels(), affine(), "RAS")
    questions = folder / "questions.csv"
    with questions.open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["case", "id", "question", "options", "answer"])
        for wish in wishes:
            options = "\n".join(f"{letter} {wish.word}" for letter in "abcd")
            rows.writerow([wish.case, wish.word, f"Where is {wish.word}?", options, "A"])
    return questions


class Visitor:
    """One user of the page at `url`, with a session of their own."""

    def __init__(self, url: str) -> None:
        told = {"verbose": False, "analytics_enabled": False}
        self.client = Client(url, httpx_kwargs={"timeout": PATIENCE_S}, **told)

    def ask(self, wish: Wish, model: str | None = None) -> Job:
        """Choose the study, press Ask; the job's outputs are the cards as they come."""
        self.client.predict(wish.case, None, api_name="/choose_study")
        asked = (wish.case, wish.word, "original", 0, wish.representation, "auto", False)
        sides = "radiological"
        return self.client.submit(
            False, False, False, *asked, sides, model or wish.model, api_name="/ask"
        )

    def cancel(self) -> None:
        """Press Cancel."""
        self.client.predict(api_name="/cancel_1")


class StuckServer:
    """A model server on loopback that takes a question and does not answer until let go."""

    def __init__(self) -> None:
        self.asked = threading.Event()
        self.let_go = threading.Event()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                outer.asked.set()
                outer.let_go.wait(600)
                self.send_error(503)

            def do_GET(self) -> None:
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.end_headers()
                self.wfile.write(b'{"object": "list", "data": [{"id": "stuck"}]}')

            def log_message(self, *_: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server.server_address[1]}/v1"

    def close(self) -> None:
        self.let_go.set()
        self.server.shutdown()
        self.server.server_close()


def stuck_server() -> Iterator[StuckServer]:
    """A `StuckServer` for as long as it is needed."""
    server = StuckServer()
    yield server
    server.close()
