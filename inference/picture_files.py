"""Pictures on the disk: PNG files whose pixels are the very arrays that are sent."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from PIL import Image

from inference.pictures import Picture
from viewer.written import whole_file, writing


def png_bytes(picture: Picture) -> bytes:
    """The picture without loss."""
    stream = io.BytesIO()
    Image.fromarray(picture.pixels).save(stream, "PNG", compress_level=6)
    return stream.getvalue()


def render(
    case: str, representation: str, convention: str, pictures: Sequence[Picture], folder: Path
) -> dict[str, Any]:
    """Write the pictures into `folder` and return the manifest that names them.

    `file` is an absolute path; `index` is the voxel index in the canonical
    (RAS+) array; a montage has null `index` and `window` and lists its tiles.
    `UnwritableFile` where the disk refuses them.
    """
    folder = folder.resolve()
    entries = []
    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
        for number, picture in enumerate(pictures, start=1):
            path = folder / _file_name(number, picture)
            path.write_bytes(png_bytes(picture))
            entries.append({"file": str(path), **picture_json(picture)})
    return {
        "case": case,
        "representation": representation,
        "convention": convention,
        "pictures": entries,
    }


def keep_pictures(folder: Path, pictures: Sequence[Picture]) -> None:
    """Store each picture as `<sha256>.png`, so that a record's hash always finds its picture."""
    folder.mkdir(parents=True, exist_ok=True)
    for picture in pictures:
        path = folder / f"{picture.sha256}.png"
        if not path.exists():
            with whole_file(path) as fresh:
                fresh.write_bytes(png_bytes(picture))


def picture_json(picture: Picture) -> dict[str, Any]:
    """All that is to be said about a picture but its pixels."""
    return {
        "sha256": picture.sha256,
        "caption": picture.caption,
        "sequence": picture.sequence,
        "plane": picture.plane,
        "index": picture.index,
        "window": _pair(picture.window),
        "width": picture.width,
        "height": picture.height,
        "includes_mask": picture.includes_mask,
        "tiles": [
            {
                "sequence": tile.sequence,
                "plane": tile.plane,
                "index": tile.index,
                "window": _pair(tile.window),
            }
            for tile in picture.tiles
        ],
    }


def _pair(window: tuple[float, float] | None) -> list[float] | None:
    return None if window is None else list(window)


def _file_name(number: int, picture: Picture) -> str:
    what = "montage" if picture.tiles else picture.sequence
    place = "" if picture.index is None else f"-{picture.index:03d}"
    return re.sub(r"[^\w.-]", "_", f"{number:02d}-{picture.plane}-{what}{place}.png")
