"""The orientation convention, drawn once.

Arrays are RAS+ (i to the right, j to the front, k to the top). On the screen
rows run downwards. A plane is a row of `PLANES`; a convention decides only
whether the image is seen from the patient's feet or from the patient's head.

    radiological   patient right is drawn on the image's left
    neurological   patient right is drawn on the image's right

Sagittal pictures look the same in both: the patient faces the image's left.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from viewer.errors import UnknownName, UnknownSlice

Convention = Literal["radiological", "neurological"]
PlaneName = Literal["axial", "coronal", "sagittal"]
Scalar = TypeVar("Scalar", bound=np.generic)

OPPOSITE = {"R": "L", "L": "R", "A": "P", "P": "A", "S": "I", "I": "S"}
POSITIVE = ("R", "A", "S")
"""Letter at the growing end of i, j, k."""


@dataclass(frozen=True)
class Plane:
    """A row of the table.

    `through` is the array axis that the slice index counts; `across` and `down`
    are the axes drawn from left to right and from top to bottom; `left` and
    `top` are the letters that stand there in the radiological convention.
    """

    name: PlaneName
    through: int
    across: int
    down: int
    left: str
    top: str


PLANES: dict[str, Plane] = {
    "axial": Plane("axial", through=2, across=0, down=1, left="R", top="A"),
    "coronal": Plane("coronal", through=1, across=0, down=2, left="R", top="S"),
    "sagittal": Plane("sagittal", through=0, across=1, down=2, left="A", top="S"),
}


def plane_named(name: str) -> Plane:
    """The plane of that name; `UnknownName` lists the others."""
    try:
        return PLANES[name]
    except KeyError:
        raise UnknownName(
            f"Expected a plane out of {', '.join(PLANES)}, got {name!r}; choose one of them."
        ) from None


@dataclass(frozen=True)
class Edges:
    """The letters at the four edges of a picture."""

    left: str
    right: str
    top: str
    bottom: str


def edges(plane: Plane, convention: Convention) -> Edges:
    """Which side of the patient each edge of the picture is."""
    left = plane.left
    if convention == "neurological" and plane.across == 0:
        left = OPPOSITE[left]
    return Edges(left, OPPOSITE[left], plane.top, OPPOSITE[plane.top])


def cut(
    array: NDArray[Scalar], plane: Plane, index: int, convention: Convention
) -> NDArray[Scalar]:
    """One slice as it is drawn: rows downwards, columns to the right.

    `array` is (i, j, k) RAS+, `index` the voxel index along `plane.through`.
    The result is a view of shape (n_down, n_across). Raises `UnknownSlice` for
    an index outside the array (a negative one included).
    """
    if not 0 <= index < array.shape[plane.through]:
        raise UnknownSlice(
            f"Expected a {plane.name} slice of 0 to {array.shape[plane.through] - 1}, "
            f"got {index}; choose one in that range."
        )
    picture: NDArray[Scalar] = np.moveaxis(array, plane.through, 0)[index]
    remaining = [axis for axis in range(3) if axis != plane.through]
    if remaining != [plane.down, plane.across]:
        picture = picture.T
    shown = edges(plane, convention)
    if shown.top == POSITIVE[plane.down]:
        picture = picture[::-1, :]
    if shown.left == POSITIVE[plane.across]:
        picture = picture[:, ::-1]
    return picture


def pixel_size_mm(spacing_mm: tuple[float, float, float], plane: Plane) -> tuple[float, float]:
    """(height, width) of one pixel of `cut` in mm."""
    return spacing_mm[plane.down], spacing_mm[plane.across]


def slice_count(array: NDArray[Any], plane: Plane) -> int:
    """How many slices the array has in that plane."""
    return int(array.shape[plane.through])
