"""Which side of the patient lies where in a picture, against the world and not a habit."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.viewer.images import SHAPE, distinct
from viewer.errors import UnknownName, UnknownSlice
from viewer.planes import (
    OPPOSITE,
    PLANES,
    Convention,
    cut,
    edges,
    pixel_size_mm,
    plane_named,
    slice_count,
)

CONVENTIONS: tuple[Convention, ...] = ("radiological", "neurological")
DIRECTIONS = {"R": (0, -1), "L": (0, 0), "A": (1, -1), "P": (1, 0), "S": (2, -1), "I": (2, 0)}
"""Letter -> (array axis, index of the voxels at that end), from the meaning of RAS+."""


def end_of_patient(letter: str) -> NDArray[np.uint8]:
    """A volume that is bright only in the layer at that end of the patient."""
    volume = np.zeros(SHAPE, dtype=np.uint8)
    axis, end = DIRECTIONS[letter]
    np.moveaxis(volume, axis, 0)[end] = 1
    return volume


@pytest.mark.parametrize("convention", CONVENTIONS)
@pytest.mark.parametrize("name", PLANES)
def test_each_edge_shows_the_side_that_its_letter_names(name: str, convention: Convention) -> None:
    plane = PLANES[name]
    shown = edges(plane, convention)
    rows_columns = {
        shown.left: np.s_[:, 0],
        shown.right: np.s_[:, -1],
        shown.top: np.s_[0, :],
        shown.bottom: np.s_[-1, :],
    }
    for letter, edge in rows_columns.items():
        volume = end_of_patient(letter)
        picture = cut(volume, plane, slice_count(volume, plane) // 2, convention)
        assert picture[edge].all()
        assert picture.sum() == picture[edge].size


@pytest.mark.parametrize(
    ("name", "convention", "letters"),
    [
        ("axial", "radiological", "RLAP"),
        ("axial", "neurological", "LRAP"),
        ("coronal", "radiological", "RLSI"),
        ("coronal", "neurological", "LRSI"),
        ("sagittal", "radiological", "APSI"),
        ("sagittal", "neurological", "APSI"),
    ],
)
def test_letters(name: str, convention: Convention, letters: str) -> None:
    shown = edges(PLANES[name], convention)
    assert shown.left + shown.right + shown.top + shown.bottom == letters


def test_opposites_are_mutual() -> None:
    assert all(OPPOSITE[OPPOSITE[letter]] == letter != OPPOSITE[letter] for letter in OPPOSITE)


@pytest.mark.parametrize("name", PLANES)
def test_a_slice_holds_the_voxels_of_its_index(name: str) -> None:
    volume, plane = distinct(), PLANES[name]
    for index in range(slice_count(volume, plane)):
        picture = cut(volume, plane, index, "radiological")
        expected = np.take(volume, index, axis=plane.through)
        assert sorted(picture.flat) == sorted(expected.flat)
        assert picture.shape == (volume.shape[plane.down], volume.shape[plane.across])
        assert np.shares_memory(picture, volume)


@pytest.mark.parametrize("name", PLANES)
@pytest.mark.parametrize("index", [-1, 11, 99])
def test_a_slice_outside_is_refused(name: str, index: int) -> None:
    with pytest.raises(UnknownSlice, match=f"slice of 0 to .*, got {index}"):
        cut(distinct(), PLANES[name], index, "radiological")


def test_pixels_keep_their_size() -> None:
    spacing = (1.0, 3.0, 2.0)
    sizes = {name: pixel_size_mm(spacing, plane) for name, plane in PLANES.items()}
    assert sizes == {"axial": (3.0, 1.0), "coronal": (2.0, 1.0), "sagittal": (2.0, 3.0)}


def test_an_unknown_plane_lists_the_known() -> None:
    assert plane_named("axial") is PLANES["axial"]
    with pytest.raises(UnknownName, match="axial, coronal, sagittal, got 'oblique'"):
        plane_named("oblique")
