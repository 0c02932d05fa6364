"""What an export may be written over: an export made before, never a question file."""

from __future__ import annotations

from pathlib import Path

from inference.errors import UnfitFile
from inference.question_files import read_questions, read_rows
from viewer.errors import UserError

ANSWERED = {"model", "reader"}
"""Columns of exports that no question file has: whose answers they are."""


def refuse_question_file(out: Path) -> None:
    """`UnfitFile` where questions stand in the file that is to be written."""
    if out.is_file() and _holds_questions(out):
        raise UnfitFile(
            f"Expected --out to be a new file or an export made before, got {out}, which holds "
            "questions; give another name."
        )


def _holds_questions(file: Path) -> bool:
    try:
        asked = read_questions(file).questions
        return bool(asked) and not ANSWERED & set(read_rows(file)[0])
    except UserError:  # a table of another kind, or none
        return False
