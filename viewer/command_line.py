"""What every command shares: one sentence for what cannot be read, and numbers within bounds."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from math import inf, isfinite
from pathlib import Path
from typing import NoReturn

from viewer.errors import BadSetting
from viewer.formats import reason_of
from viewer.printable import name_in_words


class OneSentenceParser(argparse.ArgumentParser):
    """Says what is wrong in one sentence, like every other mistake, and where the rest is told."""

    def error(self, message: str) -> NoReturn:
        """Raise `BadSetting`."""
        said = message[:1].upper() + message[1:].rstrip(".")
        raise BadSetting(f"{said}; see {self.prog} --help.")


def whole(low: int, high: float = inf) -> Callable[[str], int]:
    """Reads a whole number from `low` to `high`, both included, as a `type` of argparse."""

    def number(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            raise _refusal("a whole number", low, high, text) from None
        if not low <= value <= high:
            raise _refusal("a whole number", low, high, text)
        return value

    return number


def real(low: float = -inf, high: float = inf) -> Callable[[str], float]:
    """Reads a finite number from `low` to `high`, both included, as a `type` of argparse."""

    def number(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            raise _refusal("a finite number", low, high, text) from None
        if not isfinite(value) or not low <= value <= high:
            raise _refusal("a finite number", low, high, text)
        return value

    return number


def check_folders(roots: Sequence[Path]) -> None:
    """`BadSetting` where roots are named and none is a folder.

    One that is none beside one that is becomes a problem of the catalogue, and the rest goes on.
    """
    reasons = [_no_folder(root) for root in roots]
    if reasons and all(reasons):
        raise BadSetting(
            f"Expected --data to name a folder of studies, got {name_in_words(str(roots[0]))}, "
            f"which {reasons[0]}; check the path."
        )


def _no_folder(path: Path) -> str:
    """Why it is no folder; empty where it is one."""
    try:
        path.stat()
        return "" if path.is_dir() else "is a file"
    except FileNotFoundError:
        return "does not exist"
    except (OSError, ValueError) as error:
        return f"cannot be opened ({reason_of(error)})"


def let_go_of_output() -> None:
    """After a broken pipe: what is still to be written goes nowhere, so that no exit fails on it.

    Whoever read the output (`head`, a pager that was left) has seen enough.
    """
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except BrokenPipeError:
            os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def _refusal(what: str, low: float, high: float, text: str) -> argparse.ArgumentTypeError:
    least = "" if low == -inf else f" of at least {low:g}"
    most = "" if high == inf else f"{' and' if least else ' of'} at most {high:g}"
    return argparse.ArgumentTypeError(f"expected {what}{least}{most}, got {text!r}")
