"""The command line of the masks: what `segment` takes, and what it prints.

The studies and the masks come from whoever opens them. Nothing heavy is
imported before the command runs.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from viewer.command_line import whole
from viewer.errors import UserError

if TYPE_CHECKING:
    from segmentation.store import MaskStore
    from viewer.catalogue import Catalogue

Arguments = argparse.Namespace
Open = Callable[[Arguments], "tuple[Catalogue, MaskStore]"]
Say = Callable[[float, str], None]


def takes_segment(parser: argparse.ArgumentParser) -> None:
    """Arguments of `segment`: one study into a file, or all of them into the kept masks."""
    add = parser.add_argument
    add("--json", action="store_true", help="print one JSON document")
    which = parser.add_mutually_exclusive_group(required=True)
    which.add_argument("--case", metavar="ID", help="one study; its mask is written to --out")
    which.add_argument("--all", action="store_true", help="every study; the masks are kept")
    add("--weights", default=None, help="name of a row, or a path")
    add("--out", type=Path, default=None, metavar="FILE.nii.gz")
    add(
        "--jobs", type=whole(1), default=None, metavar="N",
        help="processes of --all (else one for each processor, at most 4; each takes 2 GiB)",
    )  # fmt: skip


def run_segment(arguments: Arguments, opened: Open, say: Say) -> None:
    """Make one mask or all; Ctrl-C stops after what runs now."""
    if arguments.all == (arguments.out is not None):
        raise UserError(
            "Expected --out FILE.nii.gz with --case, and no --out with --all, got "
            + (
                "--all with --out; leave --out out, the masks are kept and shown on the page."
                if arguments.all
                else "--case without --out; add --out and the name of the file to write."
            )
        )
    (_all if arguments.all else _one)(arguments, opened, say)


def _one(arguments: Arguments, opened: Open, say: Say) -> None:
    from segmentation.report import report_lines, segment_to_file
    from viewer.source_files import refuse_source_files

    catalogue, masks = opened(arguments)
    study = catalogue.study(arguments.case)
    refuse_source_files(arguments.out, catalogue)
    document = segment_to_file(study, masks, arguments.weights, arguments.out, say)
    _print(arguments, document, report_lines(document))


def _all(arguments: Arguments, opened: Open, _say: Say) -> None:
    from segmentation.batch import default_jobs, segment_all
    from segmentation.report import batch_document, batch_line, row_line
    from segmentation.weights import EMBEDDED, find_weights

    jobs = default_jobs() if arguments.jobs is None else arguments.jobs
    weights = find_weights(arguments.weights or EMBEDDED)
    catalogue, masks = opened(arguments)
    if not catalogue.studies:
        raise UserError(
            "Expected studies to segment, found none; name their folder with --data DIR, and see "
            "what is found with cases."
        )
    shown = sys.stderr if arguments.json else sys.stdout
    rows = segment_all(
        catalogue.studies, masks, weights, jobs,
        lambda row: print(row_line(row), file=shown, flush=True),
    )  # fmt: skip
    document = batch_document(weights, jobs, rows)
    _print(arguments, document, [batch_line(document)])
    if document["stopped"]:
        raise KeyboardInterrupt
    if document["failed"] == len(rows):
        raise UserError(
            f"Expected at least one mask, but all {len(rows)} studies failed; mend what the line "
            "of each says."
        )


def _print(arguments: Arguments, document: dict[str, Any], lines: list[str]) -> None:
    as_json = json.dumps(document, ensure_ascii=False, indent=2)
    print(as_json if arguments.json else "\n".join(lines))
