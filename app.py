"""MRI VQA Viewer: the settings, the command line, and which page to build.

    python app.py                    the page on http://127.0.0.1:7860, with the demo studies
    python app.py --data DIR         the same on your own studies
    python app.py COMMAND --help     what each command takes

Research use only, not for diagnosis.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from inference import commands
from inference.picture_options import choices_of, takes_ask, takes_render
from segmentation import commands as mask_commands
from viewer.command_line import OneSentenceParser, check_folders, let_go_of_output, whole
from viewer.errors import UserError
from viewer.guard.command_line import checked_login, rules_of, takes_guard
from viewer.printable import as_text, for_terminal

if TYPE_CHECKING:
    from fastapi import FastAPI

    from inference.desk import Desk
    from segmentation.store import MaskStore
    from viewer.cache import ArrayCache
    from viewer.catalogue import Catalogue
    from viewer.study import Study

Arguments = argparse.Namespace
Say = Callable[[float, str], None]

ROOT = Path(__file__).resolve().parent
CACHE_BYTES = 2 << 30
"""Arrays kept in memory: about 13 studies of four 240×240×155 sequences."""


@dataclass(frozen=True)
class Command:
    """A row of the command line: what it does, what it takes, what it prints."""

    about: str
    takes: Callable[[argparse.ArgumentParser], None]
    run: Callable[[Arguments], None]


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command. 0 done; 2 the caller's mistake, one sentence on stderr; 1 a bug."""
    given = list(sys.argv[1:] if argv is None else argv)
    given = ["check" if word == "--check" else word for word in given[:1]] + given[1:]
    if not given or (given[0] not in COMMANDS and given[0] not in {"-h", "--help"}):
        given.insert(0, "serve")
    try:
        arguments = _parser().parse_args(given)
        check_folders(arguments.data)
        COMMANDS[arguments.command].run(arguments)
        print(end="", flush=True)
    except BrokenPipeError:
        let_go_of_output()
    except UserError as error:
        print(for_terminal(str(error)), file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = OneSentenceParser(
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
            help="a folder of studies, at any depth; may be repeated (else the demo studies)",
        )  # fmt: skip
        child.add_argument(
            "--label-scheme", default=None, metavar="NAME",
            help="what the labels of the expert masks mean, where their layout does not say so",
        )  # fmt: skip
        child.add_argument(
            "--trust-remote-code", action="append", default=[], metavar="MODEL",
            help="let this model's own repository run its code (may be repeated; else none does)",
        )  # fmt: skip
        command.takes(child)
    return parser


def _takes_serve(parser: argparse.ArgumentParser) -> None:
    _takes_questions(parser)
    parser.add_argument("--model", default=None, help="the model chosen at first")
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on")
    parser.add_argument(
        "--port", type=whole(0, 65535), default=7860, help="port to listen on; 0 for any"
    )
    parser.add_argument("--open", action="store_true", help="open the page in the browser")
    parser.add_argument("--window", action="store_true", help="open it in a window of its own")
    takes_guard(parser)


def _takes_json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def _takes_questions(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--questions", action="append", type=Path, default=[], metavar="FILE",
        help="a question file, CSV or JSONL (may be repeated)",
    )  # fmt: skip


def _takes_ask(parser: argparse.ArgumentParser) -> None:
    takes_ask(parser)
    _takes_questions(parser)


def _silent(share: float, text: str) -> None:
    """Progress that nobody watches."""


def _say(share: float, text: str) -> None:
    """Progress for people, on stderr: stdout belongs to the document."""
    print(f"{share:4.0%} {for_terminal(text)}", file=sys.stderr)


@dataclass(frozen=True)
class Sources:
    """Where studies and questions come from. Without `data` the demo studies, made if missing.

    `trusted` names the models whose repositories' own code may run.
    """

    data: tuple[Path, ...] = ()
    questions: tuple[Path, ...] = ()
    label_scheme: str | None = None
    trusted: tuple[str, ...] = ()


def _sources(arguments: Arguments) -> Sources:
    questions = getattr(arguments, "questions", ())
    return Sources(
        tuple(arguments.data),
        tuple(questions),
        arguments.label_scheme,
        tuple(arguments.trust_remote_code),
    )


def open_catalogue(sources: Sources, progress: Say) -> Catalogue:
    """The studies, with the label scheme that the user names for their expert masks."""
    from segmentation.regions import scheme_named
    from viewer.catalogue import find_studies, with_label_scheme
    from viewer.demo import cache_folder, demo_folder, demo_studies

    if sources.data:
        catalogue = find_studies(sources.data)
        if sources.label_scheme is None:
            return catalogue
        return with_label_scheme(catalogue, scheme_named(sources.label_scheme).name)
    demo_studies(cache_folder(), progress)
    return find_studies([demo_folder(cache_folder())])


def _ready_studies(arguments: Arguments) -> Catalogue | None:
    """The studies as they are; None where the demo studies have yet to be made."""
    from viewer.demo import are_made, cache_folder

    if not arguments.data and not are_made(cache_folder()):
        return None
    return open_catalogue(_sources(arguments), _silent)


def open_desk(sources: Sources, progress: Say = _silent, cache: ArrayCache | None = None) -> Desk:
    """Everything that the page or a command shares."""
    from inference.demo_questions import write_demo_questions
    from inference.desk import Desk
    from inference.host import ModelHost
    from inference.question_files import read_questions
    from inference.questions import together
    from inference.record_store import RecordStore, data_folder
    from segmentation.store import MaskStore
    from viewer.cache import ArrayCache
    from viewer.demo import cache_folder, demo_folder, demo_studies

    files = list(sources.questions)
    if not sources.data:
        made = demo_studies(cache_folder(), progress)
        files.append(write_demo_questions(demo_folder(cache_folder()), made))
    cache = cache or ArrayCache(CACHE_BYTES)
    return Desk(
        catalogue=open_catalogue(sources, progress),
        questions=together([read_questions(file) for file in files]),
        cache=cache,
        masks=MaskStore(cache_folder() / "masks", cache),
        host=ModelHost(sources.trusted),
        records=RecordStore(data_folder()),
    )


def _print(document: dict[str, Any], as_json: bool, lines: Callable[[], list[str]]) -> None:
    print(as_text(document) if as_json else "\n".join(map(for_terminal, lines())))


def _run_cases(arguments: Arguments) -> None:
    from viewer.listing import cases_document, cases_lines

    catalogue = open_catalogue(_sources(arguments), _say)
    _print(cases_document(catalogue), arguments.json, lambda: cases_lines(catalogue))


def _run_segment(arguments: Arguments) -> None:
    def opened(given: Arguments) -> tuple[Catalogue, MaskStore]:
        desk = _desk_of(given)
        return desk.catalogue, desk.masks

    mask_commands.run_segment(arguments, opened, _say)


def _run_render(arguments: Arguments) -> None:
    from inference.picture_files import render
    from viewer.source_files import refuse_source_files

    choices = choices_of(arguments)
    desk = open_desk(_sources(arguments), _say)
    refuse_source_files(arguments.out, desk.catalogue)
    pictures = desk.pictures(choices)
    convention = choices.settings().convention
    document = render(arguments.case, arguments.representation, convention, pictures, arguments.out)
    _print(document, arguments.json, lambda: [p["file"] for p in document["pictures"]])


def _run_ask(arguments: Arguments) -> None:
    choices = choices_of(arguments, arguments.question, arguments.order)
    record = open_desk(_sources(arguments), _say).ask(choices, progress=_say)
    document = record.to_json()
    _print(document, arguments.json, lambda: [
        record.stem,
        f"answer: {record.answer.text or record.answer.status} ({record.answer.rule})",
        f"score:  {record.score}",
    ])  # fmt: skip


def _desk_of(arguments: Arguments) -> Desk:
    return open_desk(_sources(arguments), _say)


def _run_serve(arguments: Arguments) -> None:
    from inference.ask_log import to_stderr
    from viewer.serving import Place, serve

    checked_login(arguments)

    def build() -> FastAPI:
        app = build_app(arguments)
        to_stderr()
        return app

    serve(build, Place(arguments.host, arguments.port, arguments.window, arguments.open))


def build_app(arguments: Arguments) -> FastAPI:
    """The routes for volumes and masks, with the page mounted on them."""
    from viewer.guard.scratch import own_scratch

    rules = rules_of(arguments, own_scratch())
    os.environ |= {"GRADIO_ANALYTICS_ENABLED": "False", "GRADIO_TEMP_DIR": str(rules.files)}
    import gradio as gr
    from fastapi import FastAPI

    from inference.health import health_routes
    from inference.matching import counts_about
    from inference.models.table import DEFAULT_MODEL
    from inference.opening import Opening
    from inference.panel_page import PAGE_CSS, THEME, build_page, page_script
    from segmentation.regions import SCHEMES
    from segmentation.routes import mask_routes
    from viewer.cache import ArrayCache
    from viewer.cache_folder import cache_folder
    from viewer.guard.middleware import Guard
    from viewer.instance import identity_routes
    from viewer.routes import mount_static, volume_routes
    from viewer.session_files import SessionFiles
    from viewer.session_routes import session_routes
    from viewer.thumbnail_routes import thumbnail_routes
    from viewer.thumbnails import Thumbnails

    cache = ArrayCache(CACHE_BYTES)
    files = SessionFiles(cache_folder() / "opened", cache.drop_below)
    sources = _sources(arguments)
    opening = Opening(lambda say: replace(open_desk(sources, say, cache), session_files=files))

    def study(study_id: str) -> Study:
        return opening.desk().study(study_id)

    def questions(ids: Sequence[str]) -> dict[str, int]:
        return counts_about(ids, opening.desk().questions.questions)

    app = FastAPI(
        title="MRI VQA Viewer", docs_url=None, redoc_url=None, openapi_url=None,
        lifespan=lambda app: files.open_for_life(),
    )  # fmt: skip
    for routes in (
        identity_routes(), health_routes(opening), session_routes(files, tuple(SCHEMES), questions),
        volume_routes(study, cache), mask_routes(study, lambda: opening.desk().masks),
        thumbnail_routes(study, Thumbnails(cache_folder())),
    ):  # fmt: skip
        app.include_router(routes)
    mount_static(app)
    gr.mount_gradio_app(
        app,
        build_page(opening, arguments.model or DEFAULT_MODEL),
        path="/", theme=THEME, css_paths=[PAGE_CSS], js=page_script(), footer_links=[],
        run_history=False, show_error=True,
    )  # fmt: skip
    app.add_middleware(Guard, rules=rules)
    return app


COMMANDS: dict[str, Command] = {
    "serve": Command("serve the page", _takes_serve, _run_serve),
    "cases": Command("list the studies, and what could not be read", _takes_json, _run_cases),
    "segment": Command(
        "predict the tumor of one study, or of all ahead", mask_commands.takes_segment, _run_segment
    ),
    "render": Command("write the pictures a model would get", takes_render, _run_render),
    "ask": Command("ask a model one question", _takes_ask, _run_ask),
    "run": Command(
        "ask questions x representations x orders x models; goes on where it was stopped",
        commands.takes_run,
        lambda arguments: commands.run_run(arguments, _desk_of),
    ),
    "results": Command("tables from the records", commands.takes_results, commands.run_results),
    "export": Command(
        "write records as JSONL, CSV, XLSX or an HTML report",
        commands.takes_export,
        commands.run_export,
    ),
    "import": Command(
        "keep answers made elsewhere as records", commands.takes_import, commands.run_import
    ),
    "check": Command(
        "say what works on this machine, and what mends the rest (also: --check)",
        commands.takes_check,
        lambda arguments: commands.run_check(arguments, lambda: _ready_studies(arguments)),
    ),
    "replay": Command(
        "make the ask of a record again and say what differs",
        commands.takes_replay,
        lambda arguments: commands.run_replay(arguments, _desk_of),
    ),
}


if __name__ == "__main__":
    sys.exit(main())
