"""How long the default grid takes for one question: `python -m tests.benchmarks.compare_grid`.

Seven representations in four cyclic orders with the embedded model, on the
first demo study; nothing is reused. Prints the seconds with and without
loading the model, by the clock and of the processor.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

from app import Sources, open_desk
from inference.choices import Choices
from inference.comparison import Filled, default_grid, run_cells
from inference.desk import Desk
from inference.models.table import DEFAULT_MODEL
from inference.record_store import RecordStore
from inference.representations import REPRESENTATIONS


def timed_grid(desk: Desk) -> tuple[float, float, tuple[Filled, ...]]:
    """Clock and processor seconds of one grid, and its cells."""
    study = desk.catalogue.studies[0].id
    question = desk.questions_about(study)[0]
    choices = Choices(study, question.id, "multi-slice", DEFAULT_MODEL)
    clock, processor = time.perf_counter(), time.process_time()
    filled = run_cells(desk, default_grid(choices, len(question.options)))
    return time.perf_counter() - clock, time.process_time() - processor, filled


def main() -> None:
    """Measure and print."""
    from dataclasses import replace

    desk = open_desk(Sources())
    with tempfile.TemporaryDirectory() as folder:
        for number, what in enumerate(("with loading", "model loaded", "model loaded")):
            store = RecordStore(Path(folder) / str(number))
            clock, processor, filled = timed_grid(replace(desk, records=store))
            store.close()
            by_input = {
                name: sum(
                    one.record.seconds
                    for one in filled
                    if one.record and one.cell.choices.representation == name
                )
                for name in REPRESENTATIONS
            }
            parts = ", ".join(f"{name} {seconds:.2f}" for name, seconds in by_input.items())
            print(f"{len(filled)} cells, {what}: {clock:.1f} s, {processor:.1f} s of processor")
            print(f"  in the model: {parts}")
            failed = [one.problem for one in filled if one.problem]
            if failed:
                sys.exit(f"{len(failed)} cells failed: {failed[0]}")


if __name__ == "__main__":
    main()
