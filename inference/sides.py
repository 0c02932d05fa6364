"""Questions about sides: which option is the mirror image of which."""

from __future__ import annotations

import re
from collections.abc import Sequence

OTHER = {"left": "right", "right": "left"}
SIDE = re.compile(r"\b(left|right)\b", re.IGNORECASE)


def mirrored_options(options: Sequence[str]) -> tuple[int, ...] | None:
    """For each option the index of its mirror image, itself where it names no side.

    None where the question is not about sides: no option names one, or an
    option's mirror image is not among the options.
    """
    plain = [option.casefold() for option in options]
    turned = [SIDE.sub(lambda match: OTHER[match[0].lower()], text) for text in plain]
    if turned == plain or any(text not in plain for text in turned):
        return None
    return tuple(plain.index(text) for text in turned)
