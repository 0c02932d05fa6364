"""MRI VQA Viewer: the settings, the command line, and which page to build.

    python app.py                    the page on http://127.0.0.1:7860, with the demo studies
    python app.py --data DIR         the same on your own studies
    python app.py COMMAND --help     what each command takes

Research use only, not for diagnosis.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from viewer.errors import UserError

if TYPE_CHECKING:
    from inference.desk import Desk

Arguments = argparse.Namespace


@dataclass(frozen=True)
class Command:
    """A row of the command line: what it does, what it takes, what it prints."""

    about: str
    takes: Callable[[argparse.ArgumentParser], None]
    run: Callable[[Arguments], None]


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command. 0 done; 2 the caller's mistake, one sentence on stderr; 1 a bug."""
    given = list(sys.argv[1:] if argv is None else argv)
    if not given or (given[0] not in COMMANDS and given[0] not in {"-h", "--help"}):
        given.insert(0, "serve")
    arguments = _parser().parse_args(given)
    try:
        COMMANDS[arguments.command].run(arguments)
    except UserError as error:
        print(error, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="app.py",
        description="See a brain MRI, its tumor masks, and what a vision-language model answers "
        "about it, next to the truth. Research use only, not for diagnosis.",
        epilog="Without a command the page is served.",
    )
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    for name, command in COMMANDS.items():
        child = commands.add_parser(name, help=command.about, description=command.about)
        child.add_argument(
            "--data", action="append", type=Path, default=[], metavar="DIR",
            help="a folder of studies, at any depth (may be repeated; without it: the demo studies)",
        )  # fmt: skip
        command.takes(child)
    return parser


def _takes_serve(parser: argparse.ArgumentParser) -> None:
    _takes_questions(parser)
    parser.add_argument("--model", default=None, help="the model chosen at first")
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on")
    parser.add_argument("--port", type=int, default=7860, help="port to listen on")


def _takes_json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def _takes_questions(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--questions", action="append", type=Path, default=[], metavar="FILE",
        help="a question file, CSV or JSONL (may be repeated)",
    )  # fmt: skip


def _takes_segment(parser: argparse.ArgumentParser) -> None:
    _takes_json(parser)
    parser.add_argument("--case", required=True, metavar="ID", help="the study")
    parser.add_argument("--weights", default=None, help="name of a row, or a path")
    parser.add_argument("--out", type=Path, required=True, metavar="FILE.nii.gz")


def _takes_pictures(parser: argparse.ArgumentParser) -> None:
    _takes_json(parser)
    parser.add_argument("--case", required=True, metavar="ID", help="the study")
    parser.add_argument("--representation", required=True, metavar="NAME")
    parser.add_argument("--convention", choices=("radiological", "neurological"), default=None)
    parser.add_argument("--model", default=None, help="whose picture settings to use")
    parser.add_argument("--slice-from", default="auto", help="auto, expert, predicted or centre")
    parser.add_argument("--include-masks", action="store_true", help="draw the mask into pictures")


def _takes_render(parser: argparse.ArgumentParser) -> None:
    _takes_pictures(parser)
    parser.add_argument("--out", type=Path, required=True, metavar="DIR")


def _takes_ask(parser: argparse.ArgumentParser) -> None:
    _takes_pictures(parser)
    _takes_questions(parser)
    parser.add_argument("--question", required=True, metavar="N", help="id, or #N for the N-th")
    parser.add_argument("--order", default="original", help="original, shuffled, or a seed")


COMMANDS: dict[str, Command] = {}


if __name__ == "__main__":
    sys.exit(main())
