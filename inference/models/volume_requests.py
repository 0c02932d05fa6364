"""How a volume travels to a server that speaks the OpenAI chat API.

The API knows no volumes, so one field is added to it. The user's turn holds
exactly one part `{"type": "volume", "volume": {...}}` between its texts:

    format      "npz": `data` is the base64 of a NumPy .npz file (a zip, no pickle)
    data        one array in it, `volume`: uint8, (slices, rows, columns)
    shape       the array's shape again
    order       "inferior to superior": slice 0 is the lowest
    sides       "radiological": the patient's right is column 0; "neurological": the last column
    sequence    FLAIR, T1c, …
    indexes     the slices' voxel indexes in the canonical (RAS+) array
    window      intensities drawn as 0 and 255, None where unknown
    sha256      hash of each slice's picture, as the record names it

Divided by 255 the array is the volume in 0..1. It is made from the very
pictures that the page shows and the record keeps, so it is not sent twice.
`inference/volume_shim.py` is a server for the other side.
"""

from __future__ import annotations

import base64
import io
from collections.abc import Sequence
from itertools import groupby
from typing import Any

import numpy as np
from numpy.typing import NDArray

from inference.models.errors import UnfitPrompt
from inference.pictures import Picture
from inference.prompts import Message, Prompt

ORDER = "inferior to superior"


def volume_messages(prompt: Prompt) -> list[dict[str, Any]]:
    """The prompt's turns with its pictures stacked into one volume part."""
    return [{"role": message.role, "content": _content(message)} for message in prompt.messages]


def _content(message: Message) -> list[dict[str, Any]]:
    """Texts before the first picture, the volume, and the texts after it."""
    pictures = [part for part in message.parts if isinstance(part, Picture)]
    content: list[dict[str, Any]] = []
    for is_text, parts in groupby(message.parts, key=lambda part: isinstance(part, str)):
        if is_text:
            content.append({"type": "text", "text": "\n".join(str(part) for part in parts)})
        elif pictures:
            content.append({"type": "volume", "volume": volume_part(pictures)})
            pictures = []
    return content


def volume_part(pictures: Sequence[Picture]) -> dict[str, Any]:
    """The field of the stacked slices; `UnfitPrompt` where they are no volume."""
    array = stacked(pictures)
    stream = io.BytesIO()
    np.savez_compressed(stream, volume=array)
    first = pictures[0]
    return {
        "format": "npz",
        "data": base64.b64encode(stream.getvalue()).decode("ascii"),
        "shape": list(array.shape),
        "order": ORDER,
        "sides": first.convention,
        "sequence": first.sequence,
        "indexes": [picture.index for picture in pictures],
        "window": list(first.window) if first.window else None,
        "sha256": [picture.sha256 for picture in pictures],
    }


def stacked(pictures: Sequence[Picture]) -> NDArray[np.uint8]:
    """Grey slices (slices, rows, columns) of pictures of one size, one sequence and one plane."""
    if any(picture.includes_mask for picture in pictures):
        raise UnfitPrompt(
            "Expected grey slices for a volume, got some with a mask painted in; switch "
            "“Include masks in the pictures” off."
        )
    kinds = {(p.pixels.shape, p.sequence, p.plane, p.index is None) for p in pictures}
    if len(kinds) != 1 or pictures[0].index is None:
        raise UnfitPrompt(
            "Expected the slices of one sequence, all of one size, for a volume, got other "
            "pictures; choose volume."
        )
    return np.stack([picture.pixels[:, :, 0] for picture in pictures])
