"""Scrolling while a model answers: `python -m tests.benchmarks.busy --data DIR [--questions FILE]`.

Serves the studies with the embedded model, opens the first one in a real
browser without a graphics card and scrolls: once while nothing else happens,
and once while two more sessions ask the model without a pause. Prints one JSON
document: milliseconds from a key press to the drawn frame and to its pixels
being there, answers a second meanwhile (none is an error), and the load of the
machine. The model computes on the processors that the browser draws with.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter, sleep
from typing import Any

from inference.models.rows import DEFAULT_MODEL
from tests.benchmarks.panes import KEYS, PRESSES, chromium, spread
from tests.crowd import PATIENCE_S, Visitor, Wish, write_studies
from tests.serving import served

ASKERS = 2


@contextmanager
def asking(address: str, wishes: list[Wish]) -> Iterator[list[float]]:
    """Two sessions that ask and ask; the list grows by the time of each answer."""
    stop, answered = threading.Event(), list[float]()

    def ask(wish: Wish) -> None:
        visitor = Visitor(address)
        while not stop.is_set():
            cards = str(visitor.ask(wish, DEFAULT_MODEL).result(timeout=PATIENCE_S))
            if wish.word not in cards or 'data-status="error"' in cards:
                raise RuntimeError(cards)
            answered.append(perf_counter())

    askers = [threading.Thread(target=ask, args=(wish,)) for wish in wishes[:ASKERS]]
    for asker in askers:
        asker.start()
    while not answered and all(asker.is_alive() for asker in askers):
        sleep(0.1)
    try:
        yield answered
    finally:
        stop.set()
        for asker in askers:
            asker.join()


def measure(data: Path, questions: Path | None) -> dict[str, Any]:
    """The whole document."""
    found: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as name:
        wishes = [Wish(number) for number in range(ASKERS)]
        asked = write_studies(Path(name) / "asked", wishes)
        sources = ["--data", str(data), "--data", str(asked.parent)]
        told = ["--questions", str(questions or asked), "--model", DEFAULT_MODEL]
        with served(Path(name), *sources, *told) as server, chromium() as page:
            page.goto(server.address)
            page.wait_for_function("window.mriPanes?.loaded.length === 4 && mriPanes.maskLoaded")
            page.wait_for_timeout(5000)  # the page brings the rest of the study
            page.evaluate(KEYS, 10)
            found["alone"] = _told(page.evaluate(KEYS, PRESSES))
            with asking(server.address, wishes) as answered:
                before, since = len(answered), perf_counter()
                found["while_a_model_runs"] = _told(page.evaluate(KEYS, PRESSES))
                rate = (len(answered) - before) / (perf_counter() - since)
            found["answers_a_second"] = round(rate, 1)
            found["load"] = round(os.getloadavg()[0], 1)
    return found


def _told(times: dict[str, list[float]]) -> dict[str, dict[str, float]]:
    return {
        "key_to_commands_ms": spread(times["issued"]),
        "key_to_pixels_ms": spread(times["seen"]),
    }


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="a folder of studies")
    parser.add_argument("--questions", type=Path, help="a question file about them")
    arguments = parser.parse_args()
    found = measure(arguments.data, arguments.questions)
    sys.stdout.write(json.dumps(found, indent=2) + "\n")


if __name__ == "__main__":
    main()
