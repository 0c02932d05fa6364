"""What every command shares: one sentence for what cannot be read, and numbers within bounds."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from math import inf, isfinite
from typing import NoReturn

from viewer.errors import BadSetting


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


def _refusal(what: str, low: float, high: float, text: str) -> argparse.ArgumentTypeError:
    least = "" if low == -inf else f" of at least {low:g}"
    most = "" if high == inf else f"{' and' if least else ' of'} at most {high:g}"
    return argparse.ArgumentTypeError(f"expected {what}{least}{most}, got {text!r}")
