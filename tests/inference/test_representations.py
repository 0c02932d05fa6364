"""Seven representations: what is drawn, in which order, on which side."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import get_args

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import ImageColor

from inference.errors import MissingSequence, NoMask, TooManyPictures
from inference.pictures import Crop, Picture, PictureSettings, pixel_hash
from inference.representations import REPRESENTATIONS, evenly_spaced, represent
from inference.slices import choose_slices
from inference.study_views import StudyView, view_of_arrays, view_of_study
from segmentation.regions import COMPARTMENTS
from tests.inference.studies import SHAPE, affine, labelmap, stored_study, volume, volumes
from tests.viewer.images import AXIS_ORDERS
from viewer.cache import ArrayCache
from viewer.catalogue import find_studies
from viewer.errors import UnknownName, UnreadableFile
from viewer.planes import Convention

CONVENTIONS: tuple[Convention, ...] = ("radiological", "neurological")
PLAIN = PictureSettings()
EVERY_SETTING = (
    PLAIN,
    PictureSettings(convention="neurological", window_rule="min-max", edge_letters=True),
    PictureSettings(crop="brain-200mm", size=64, volume_pictures=2),
    PictureSettings(size=48, include_masks=True, edge_letters=True, volume_pictures=2),
)
ORDERED = ("multi-slice", "multi-montage", "volume")
"""Between them they draw every plane, every sequence and every way of cropping."""


def view() -> StudyView:
    return view_of_arrays("S-1", volumes(), labelmap())


def colour_columns(pixels: NDArray[np.uint8]) -> NDArray[np.intp]:
    """Columns of the pixels that are not grey: an included mask."""
    coloured = pixels.min(axis=2) != pixels.max(axis=2)
    return np.nonzero(coloured)[1]


def test_single_slice_is_axial_flair_at_the_largest_area() -> None:
    (picture,) = represent("single-slice", view(), PLAIN)
    assert (picture.sequence, picture.plane, picture.index) == ("FLAIR", "axial", 10)
    assert picture.caption == "Axial FLAIR, slice 10"
    assert picture.convention == "radiological"
    # 20 x 24 voxels of 2 x 1.5 mm: 40 x 36 mm in pixels of 1.5 mm
    assert (picture.height, picture.width) == (24, 27)


def test_another_sequence_can_be_chosen() -> None:
    (picture,) = represent("single-slice", view(), PictureSettings(sequence="T2"))
    assert (picture.sequence, picture.caption) == ("T2", "Axial T2, slice 10")


def test_multi_slice_shows_every_sequence_in_reading_order() -> None:
    pictures = represent("multi-slice", view(), PLAIN)
    assert [picture.sequence for picture in pictures] == ["T1", "T1c", "T2", "FLAIR"]
    assert {picture.index for picture in pictures} == {10}
    assert all(picture.sequence in picture.caption for picture in pictures)
    assert len({picture.sha256 for picture in pictures}) == 4


def test_montage_holds_the_slices_below_their_names() -> None:
    (picture,) = represent("montage", view(), PLAIN)
    slices = represent("multi-slice", view(), PLAIN)
    assert [tile.sequence for tile in picture.tiles] == ["T1", "T1c", "T2", "FLAIR"]
    assert [tile.index for tile in picture.tiles] == [10] * 4
    assert picture.caption == "Axial slices: T1, T1c, T2, FLAIR"
    height, width = slices[0].pixels.shape[:2]
    strip = picture.height // 2 - height
    for number, single in enumerate(slices):
        top = (number // 2) * (height + strip) + strip
        left = (number % 2) * width
        np.testing.assert_array_equal(
            picture.pixels[top : top + height, left : left + width], single.pixels
        )
        assert picture.pixels[top - strip : top, left : left + width].any()


def test_multi_montage_has_three_planes() -> None:
    pictures = represent("multi-montage", view(), PLAIN)
    assert [picture.plane for picture in pictures] == ["axial", "coronal", "sagittal"]
    assert [picture.tiles[0].index for picture in pictures] == [10, 7, 14]


@pytest.mark.parametrize(("most", "count"), [(None, 14), (5, 5), (1, 1), (100, 14)])
def test_volume_is_evenly_spaced_inside_the_brain(most: int | None, count: int) -> None:
    pictures = represent("volume", view(), PLAIN, most)
    indexes = [picture.index for picture in pictures]
    assert len(indexes) == count
    assert all(index is not None and 2 <= index < 16 for index in indexes)
    assert indexes == sorted(set(indexes))
    steps = np.diff([index for index in indexes if index is not None])
    assert len(steps) == 0 or steps.max() - steps.min() <= 1


def test_the_user_can_ask_for_fewer_slices() -> None:
    assert len(represent("volume", view(), PictureSettings(volume_pictures=3), 85)) == 3
    assert evenly_spaced(volume("FLAIR"), 1) == (9,)


def test_blank_is_single_slice_in_black_with_the_same_words() -> None:
    (single,), (blank,) = (represent(name, view(), PLAIN) for name in ("single-slice", "blank"))
    assert blank.pixels.shape == single.pixels.shape
    assert not blank.pixels.any()
    assert (blank.caption, blank.index) == (single.caption, single.index)
    assert (blank.sequence, blank.window, blank.includes_mask) == ("blank", None, False)
    assert blank.sha256 != single.sha256


def test_text_only_has_no_picture() -> None:
    assert represent("text-only", view(), PLAIN) == ()


def test_every_picture_is_grey_hashed_and_frozen() -> None:
    for name in REPRESENTATIONS:
        for picture in represent(name, view(), PLAIN):
            assert picture.pixels.dtype == np.uint8
            assert (picture.pixels == picture.pixels[:, :, :1]).all()
            assert picture.sha256 == pixel_hash(picture.pixels)
            assert not picture.includes_mask
            with pytest.raises(ValueError, match="read-only"):
                picture.pixels[0, 0, 0] = 1


def test_the_hash_tells_shapes_apart() -> None:
    flat = np.zeros((2, 8, 3), dtype=np.uint8)
    assert pixel_hash(flat) != pixel_hash(flat.reshape(4, 4, 3))


def test_captions_can_be_left_out() -> None:
    pictures = represent("multi-slice", view(), PictureSettings(captions=False))
    assert {picture.caption for picture in pictures} == {""}


def test_a_sequence_on_another_grid_is_drawn_as_large_as_the_others() -> None:
    coarse = replace(volume("SWI"), array=volume("SWI").array[::2, ::2, ::2])
    coarse = replace(coarse, affine=affine((4.0, 3.0, 6.0)))
    (picture,) = represent("montage", view_of_arrays("S", {**volumes(), "SWI": coarse}), PLAIN)
    cell = picture.width // 3
    shown = [picture.pixels[-cell // 2 :, start : start + cell] for start in (0, cell)]
    assert [tile.sequence for tile in picture.tiles][-2:] == ["FLAIR", "SWI"]
    widths = [np.ptp(np.flatnonzero(pixels.any(axis=(0, 2)))) for pixels in shown]
    assert abs(widths[0] - widths[1]) <= 3


def test_a_sequence_that_cannot_be_read_is_left_out_of_the_rest(tmp_path: Path) -> None:
    study = stored_study(tmp_path)
    for name in ("T2", "FLAIR"):
        broken = tmp_path / f"{name}.nii"
        broken.write_bytes(broken.read_bytes()[:2000])
    seen = view_of_study(study, ArrayCache(10**8))
    assert seen.slices.reference == "T1"
    pictures = represent("multi-slice", seen, PLAIN)
    assert [picture.sequence for picture in pictures] == ["T1", "T1c"]
    assert [note.split()[0] for note in seen.readable()[1]] == ["T2", "FLAIR"]
    with pytest.raises(UnreadableFile, match=r"FLAIR\.nii"):
        represent("single-slice", seen, PLAIN)


@pytest.mark.parametrize("crop", get_args(Crop))
@pytest.mark.parametrize("letters", [False, True])
@pytest.mark.parametrize("name", ["single-slice", "montage", "multi-montage"])
def test_a_wanted_size_holds_for_the_whole_picture(name: str, letters: bool, crop: Crop) -> None:
    settings = PictureSettings(size=96, crop=crop, edge_letters=letters)
    for picture in represent(name, view(), settings):
        assert (picture.height, picture.width) == (96, 96)


def test_letters_stand_above_the_anatomy() -> None:
    (bare,), (lettered,) = (
        represent("single-slice", view(), replace(PLAIN, edge_letters=letters))
        for letters in (False, True)
    )
    strip = lettered.height - bare.height
    assert strip > 0
    np.testing.assert_array_equal(lettered.pixels[strip:], bare.pixels)


def test_too_many_pictures_are_refused_with_a_way_out() -> None:
    with pytest.raises(TooManyPictures, match=r"at most 1 .* has 4; choose montage"):
        represent("multi-slice", view(), PLAIN, 1)
    with pytest.raises(TooManyPictures, match="choose text-only"):
        represent("blank", view(), PLAIN, 0)
    assert represent("text-only", view(), PLAIN, 0) == ()


def test_unknown_names_and_sequences_are_refused() -> None:
    with pytest.raises(UnknownName, match="single-slice"):
        represent("collage", view(), PLAIN)
    with pytest.raises(MissingSequence, match="SWI"):
        represent("volume", view(), PictureSettings(sequence="SWI"))


def test_a_mask_is_drawn_only_when_wanted_and_then_said() -> None:
    for name in ("single-slice", "multi-slice", "montage", "multi-montage", "volume"):
        for picture in represent(name, view(), PictureSettings(include_masks=True)):
            assert picture.includes_mask
    (picture,) = represent("single-slice", view(), PictureSettings(include_masks=True))
    assert colour_columns(picture.pixels).size
    with pytest.raises(NoMask, match="include masks"):
        represent("montage", view_of_arrays("S", volumes()), PictureSettings(include_masks=True))


def test_a_mask_has_its_regions_colours() -> None:
    black = {"FLAIR": replace(volume("FLAIR"), array=np.zeros(SHAPE, dtype=np.float32))}
    blocks = np.zeros(SHAPE, dtype=np.uint8)
    for number, compartment in enumerate(COMPARTMENTS[:3]):
        blocks[4 * number : 4 * number + 4] = compartment.value
    seen = view_of_arrays("S", black, labelmap(blocks))
    (shown,) = represent("single-slice", seen, PictureSettings(include_masks=True))
    found = {tuple(int(v) for v in pixel) for pixel in shown.pixels.reshape(-1, 3)}
    for compartment in COMPARTMENTS[:3]:
        colour = np.array(ImageColor.getrgb(compartment.color), dtype=np.float32)
        assert tuple(int(v) for v in (colour / 2).round()) in found


@pytest.mark.parametrize("convention", CONVENTIONS)
@pytest.mark.parametrize("crop", get_args(Crop))
@pytest.mark.parametrize("plane", ["axial", "coronal"])
def test_the_patients_right_is_drawn_where_the_convention_says(
    convention: Convention, crop: Crop, plane: str
) -> None:
    settings = PictureSettings(convention=convention, crop=crop, include_masks=True, size=200)
    one = {"FLAIR": volume("FLAIR")}
    pictures = represent("multi-montage", view_of_arrays("S", one, labelmap()), settings)
    picture = next(p for p in pictures if p.plane == plane)
    middle = picture.width / 2
    on_left = colour_columns(picture.pixels).mean() < middle
    assert on_left == (convention == "radiological")


def drawn(folder: Path, order: str) -> dict[str, list[Picture]]:
    study = stored_study(folder / order, order)
    seen = view_of_study(study, ArrayCache(10**8))
    return {
        f"{name} {number}": list(represent(name, seen, settings))
        for name in ORDERED
        for number, settings in enumerate(EVERY_SETTING)
    }


def test_48_axis_orders_give_the_same_bytes(tmp_path: Path) -> None:
    reference = drawn(tmp_path, "RAS")
    for order in AXIS_ORDERS:
        for name, pictures in drawn(tmp_path, order).items():
            assert [p.sha256 for p in pictures] == [p.sha256 for p in reference[name]], order
            assert [p.caption for p in pictures] == [p.caption for p in reference[name]]


SIDES = {
    "BraTS2021_01476": 1,
    "BraTS2021_01477": 1,
    "BraTS2021_01478": -1,
    "BraTS2021_01479": 1,
    "BraTS2021_01480": -1,
    "UCSF-PDGM-0096": -1,
}
"""Sign of the whole tumor's distance from the brain's midline: right +, left -."""


@pytest.mark.cases
def test_real_tumors_lie_on_their_side_in_both_conventions(cases_dir: Path) -> None:
    catalogue = find_studies([cases_dir])
    for study_id, side in SIDES.items():
        seen = view_of_study(catalogue.study(study_id), ArrayCache(2 * 10**8))
        for convention in CONVENTIONS:
            settings = PictureSettings(convention=convention, include_masks=True)
            (picture,) = represent("single-slice", seen, settings)
            brain = np.nonzero(picture.pixels.any(axis=2))[1].mean()
            on_left = colour_columns(picture.pixels).mean() < brain
            assert on_left == ((side > 0) == (convention == "radiological")), study_id


@pytest.mark.cases
def test_two_studies_share_a_slice_but_no_picture(cases_dir: Path) -> None:
    catalogue, cache = find_studies([cases_dir]), ArrayCache(2 * 10**8)
    one, two = (catalogue.study(name) for name in ("BraTS2021_01477", "BraTS2021_01478"))
    assert choose_slices(one, cache).axial == choose_slices(two, cache).axial == 68
    hashes = [
        represent("single-slice", view_of_study(study, cache), PLAIN)[0].sha256
        for study in (one, two, one)
    ]
    assert hashes[0] == hashes[2] != hashes[1]
