"""The command line of the records: what each command takes, and what it prints.

A command gets its arguments and, where studies are needed, a way to open the
desk. Nothing heavy is imported before a command runs.
"""

from __future__ import annotations

import argparse
import signal
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from viewer.command_line import real, whole
from viewer.errors import BadSetting
from viewer.printable import as_text, for_terminal

if TYPE_CHECKING:
    from sqlalchemy import Engine

    from inference.batch import Progress
    from inference.desk import Desk
    from inference.filters import RecordFilter
    from viewer.catalogue import Catalogue

Arguments = argparse.Namespace
OpenDesk = Callable[[Arguments], "Desk"]

QUIET_S = 5.0
"""Between two lines of progress where nobody sits at a terminal."""


def takes_run(parser: argparse.ArgumentParser) -> None:
    """Arguments of `run`; the options that may be repeated multiply."""
    add = parser.add_argument
    many: dict[str, Any] = {"action": "append", "default": []}
    add("--questions", type=Path, metavar="FILE", help="a question file (repeatable)", **many)
    add("--case", metavar="ID", help="only this study (repeatable)", **many)
    add("--model", metavar="NAME", help="repeatable; else the embedded model", **many)
    add("--representation", metavar="NAME", help="repeatable; else multi-slice", **many)
    add("--order", metavar="ORDER", help="original, shuffled, a seed; repeatable", **many)
    add("--ablation", metavar="NAME", help="besides, e.g. mirrored, without:T1; repeatable", **many)
    add("--repeats", type=whole(1), default=1, help="free replies with the seeds 0, 1, ...")
    add(
        "--temperature",
        type=_temperature,
        help="0 is greedy: every repeat is the same; else its row's",
    )
    add("--slice-from", choices=("auto", "expert", "predicted", "centre"), default="auto")
    add("--include-masks", action="store_true", help="draw the mask into the pictures")
    add("--no-reply", action="store_true", help="option probabilities only: faster")
    add("--no-scores", action="store_true", help="free replies only")
    add(
        "--server",
        metavar="URL",
        help="a base URL for server:NAME models (repeatable: a cluster; "
        "one that is down is set aside); else MRI_VQA_SERVER_URL",
        **many,
    )
    add(
        "--concurrency",
        type=whole(1),
        default=None,
        metavar="N",
        help="picture sets that servers are asked about at the same time (else 4)",
    )
    add(
        "--plan",
        action="store_true",
        help="ask nothing: print how many asks and vision encodes it is, and the hours left",
    )
    _takes_json(parser)


def _temperature(text: str) -> float:
    from inference.model_options import HOTTEST

    return real(0, HOTTEST)(text)


def run_run(arguments: Arguments, open_desk: OpenDesk) -> None:
    """Ask everything that is not recorded yet. Ctrl-C stops after the current ask."""
    from inference.batch import CONCURRENCY, Servers, run
    from inference.run_checks import check_asks, check_names, check_outcome

    plan = _plan(arguments)
    check_names(plan, arguments.server)
    desk = open_desk(arguments)
    check_asks(desk, plan)
    if arguments.plan:
        from inference.plan_counts import count_plan

        counted = count_plan(desk, plan)
        _print(arguments, counted.to_json(), counted.lines())
        return
    servers = Servers(tuple(arguments.server), arguments.concurrency or CONCURRENCY)
    stop = threading.Event()
    before = signal.signal(signal.SIGINT, lambda *_: _stop(stop))
    try:
        outcome = run(desk, plan, _Meter().say, stop.is_set, servers)
    finally:
        signal.signal(signal.SIGINT, before)
    print(file=sys.stderr)
    progress = outcome.progress
    lines = [
        f"asked {progress.asked}, failed {progress.failed}, recorded before {progress.known} "
        f"({progress.regraded} graded anew), asked by another run {progress.others}, "
        f"not askable {progress.unfit}",
        *(f"{problem.file}: {problem.reason}" for problem in outcome.problems),
    ]
    _print(arguments, outcome.to_json(), lines)
    if outcome.stopped:
        raise KeyboardInterrupt
    check_outcome(outcome)


def _stop(stop: threading.Event) -> None:
    """The first Ctrl-C lets the current ask finish, the second one does not."""
    if stop.is_set():
        raise KeyboardInterrupt
    print("\nStopping after this ask; press Ctrl-C again to stop at once.", file=sys.stderr)
    stop.set()


def _plan(arguments: Arguments) -> Any:
    from inference.choices import Choices
    from inference.models.table import DEFAULT_MODEL
    from inference.plans import Plan

    if arguments.no_reply and arguments.no_scores:
        raise BadSetting(
            "Expected free replies, option probabilities or both, got --no-reply with --no-scores, "
            "which asks nothing; leave one of them out."
        )
    how = Choices(
        study_id="",
        question_id="",
        representation="",
        model="",
        slice_from=arguments.slice_from,
        include_masks=arguments.include_masks,
        score=not arguments.no_scores,
        generate=not arguments.no_reply,
        temperature=arguments.temperature,
    )
    return Plan(
        models=tuple(arguments.model) or (DEFAULT_MODEL,),
        representations=tuple(arguments.representation) or ("multi-slice",),
        orders=tuple(arguments.order) or ("original",),
        how=how,
        repeats=arguments.repeats,
        cases=tuple(arguments.case),
        ablations=tuple(arguments.ablation),
    )


class _Meter:
    """Progress on stderr: one line that is written over, or now and then a new one."""

    def __init__(self) -> None:
        self._terminal = sys.stderr.isatty()
        self._next = 0.0

    def say(self, progress: Progress, text: str) -> None:
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + (0.2 if self._terminal else QUIET_S)
        end = "\r" if self._terminal else "\n"
        print(
            for_terminal(f"{progress_line(progress)} {text}").ljust(79),
            end=end,
            file=sys.stderr,
            flush=True,
        )


def progress_line(progress: Progress) -> str:
    """How far, how fast, how much longer."""
    line = f"{progress.done} of {progress.wanted}"
    if progress.failed:
        line += f", {progress.failed} failed"
    if progress.rate is None or progress.seconds_left is None:
        return line
    minutes, seconds = divmod(round(progress.seconds_left), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{line} · {progress.rate:.2f} asks/s · {hours}:{minutes:02d}:{seconds:02d} left"


def takes_check(parser: argparse.ArgumentParser) -> None:
    """Arguments of `check`."""
    _takes_json(parser)


def run_check(arguments: Arguments, open_catalogue: Callable[[], Catalogue | None]) -> None:
    """Say what works on this machine; `NotWorking` where something that is needed does not."""
    from inference.errors import NotWorking
    from inference.self_check import check_document, check_lines, data_look, faults, self_check

    findings = self_check([data_look(open_catalogue)])
    _print(arguments, check_document(findings), check_lines(findings))
    wrong = ", ".join(each.what for each in faults(findings))
    if wrong:
        raise NotWorking(f"Expected everything that is needed to work, got a fault in: {wrong}.")


def takes_replay(parser: argparse.ArgumentParser) -> None:
    """Arguments of `replay`."""
    parser.add_argument("id", metavar="ID", help="a record's id, or its beginning")
    parser.set_defaults(questions=[])
    _takes_json(parser)


def run_replay(arguments: Arguments, open_desk: OpenDesk) -> None:
    """Ask again what a record says was asked; print what differs."""
    from inference.record_store import RecordStore, data_folder
    from inference.replay import replay

    record = RecordStore(data_folder()).record(arguments.id)
    result = replay(
        open_desk(arguments), record, lambda share, text: print(for_terminal(text), file=sys.stderr)
    )
    _print(arguments, result.to_json(), result.lines())


def takes_results(parser: argparse.ArgumentParser) -> None:
    """Arguments of `results`: which records are counted."""
    _takes_readers(parser, "the reader studies instead of the models' records")
    _takes_filter(parser)
    _takes_json(parser)


def run_results(arguments: Arguments) -> None:
    """Print the tables; nothing is asked and no study is opened."""
    from inference.record_store import RecordStore, data_folder
    from inference.results import results
    from inference.results_tables import document, lines

    if arguments.readers is not None:
        _readers_results(arguments)
        return
    engine = RecordStore(data_folder()).engine
    found = results(engine, _filter(arguments, engine))
    _print(arguments, document(found), lines(found))


def _readers_results(arguments: Arguments) -> None:
    from inference.reader_results import reader_results
    from inference.reader_studies import study_names
    from inference.reader_tables import lines
    from inference.record_store import RecordStore, data_folder

    engine = RecordStore(data_folder()).engine
    names = [arguments.readers] if arguments.readers else study_names(engine)
    found = [reader_results(engine, name) for name in names]
    told = [line for each in found for line in lines(each)]
    none = ["No reader study is made yet; make one on the page, under Reader study."]
    _print(arguments, [each.to_json() for each in found], told or none)


def _takes_readers(parser: argparse.ArgumentParser, what: str) -> None:
    parser.add_argument(
        "--readers", nargs="?", const="", default=None, metavar="STUDY",
        help=f"{what}: the one of that name, else all",
    )  # fmt: skip


def takes_export(parser: argparse.ArgumentParser) -> None:
    """Arguments of `export`."""
    parser.add_argument(
        "--out", type=Path, required=True, metavar="FILE",
        help="ends in .jsonl (raw), .csv, .xlsx, or .html (a report without identifiers)",
    )  # fmt: skip
    _takes_readers(parser, "the readers' answers instead of the models' records")
    _takes_filter(parser)
    _takes_json(parser)


def run_export(arguments: Arguments) -> None:
    """Write the records that pass."""
    from inference.export_targets import refuse_question_file
    from inference.exports import export_records
    from inference.record_store import RecordStore, data_folder

    path = arguments.out.resolve()
    refuse_question_file(path)
    store = RecordStore(data_folder())
    if arguments.readers is None:
        count = export_records(store, path, _filter(arguments, store.engine))
    else:
        from inference.reader_exports import export_readers

        names = [arguments.readers] if arguments.readers else []
        count = export_readers(store.engine, path, names)
    _print(arguments, {"file": str(path), "records": count}, [f"{count} records in {path}"])


def takes_import(parser: argparse.ArgumentParser) -> None:
    """Arguments of `import`."""
    add = parser.add_argument
    add("file", type=Path, metavar="FILE", help="CSV, TSV, JSONL, JSON or XLSX with answers")
    add("--questions", type=Path, action="append", default=[], metavar="FILE",
        help="the questions, where the file does not hold their options")  # fmt: skip
    add("--model", default="", help="who answered; else the file's name")
    add("--representation", default="not stated", help="from what it was answered")
    add("--order", default="original", help="original, shuffled, or a seed")
    _takes_json(parser)


def run_import(arguments: Arguments) -> None:
    """Keep answers made elsewhere as records; the same file twice adds nothing."""
    from inference.importing import Labels, read_answers
    from inference.question_files import read_questions
    from inference.questions import together
    from inference.record_store import RecordStore, data_folder

    questions = together([read_questions(file) for file in arguments.questions]).questions
    labels = Labels(arguments.model, arguments.representation, arguments.order)
    found = read_answers(arguments.file, questions, labels)
    fresh = RecordStore(data_folder()).append_many(found.records)
    document = {
        "answers": len(found.records),
        "new": fresh,
        "problems": [{"file": p.file, "reason": p.reason} for p in found.problems],
    }
    lines = [f"{fresh} new of {len(found.records)} answers"]
    _print(arguments, document, [*lines, *(f"{p.file}: {p.reason}" for p in found.problems)])


FILTERS = ("model", "representation", "ordering", "score", "category", "case")
"""Fields of `RecordFilter` that may be given several times."""


def _takes_filter(parser: argparse.ArgumentParser) -> None:
    for name in FILTERS:
        parser.add_argument(
            f"--{name}", action="append", default=[], help=f"only this {name} (repeatable)"
        )
    parser.add_argument("--text", default="", help="only where question or answer holds this")


def _filter(arguments: Arguments, engine: Engine) -> RecordFilter:
    """Which records are meant; `UnknownName` where no record can be."""
    from inference.filter_checks import check_filter
    from inference.filters import RecordFilter

    chosen = RecordFilter(
        **{name: tuple(getattr(arguments, name)) for name in FILTERS}, text=arguments.text
    )
    check_filter(engine, chosen)
    return chosen


def _takes_json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def _print(arguments: Arguments, document: Any, lines: list[str]) -> None:
    print(as_text(document) if arguments.json else "\n".join(map(for_terminal, lines)))
