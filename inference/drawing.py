"""From a slice of a volume to the pixels of a picture.

Aspect is right in millimetres, R=G=B, and nothing depends on the order in
which a file stores its axes: cropping counts voxels of the canonical array.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageColor

from inference.errors import OutsideSequence
from inference.pictures import PictureSettings, PixelArray
from inference.study_views import StudyView
from segmentation.regions import COMPARTMENTS
from viewer.arrays import Volume
from viewer.grids import mm_to_voxel
from viewer.planes import POSITIVE, Convention, Plane, cut, edges, pixel_size_mm
from viewer.windows import to_uint8

FIELD_MM = 200.0
"""Side of the "brain-200mm" crop: no adult brain is longer than about 190 mm."""

MASK_SHARE = 0.5
"""How much of a pixel's colour an included mask takes: half, so that anatomy shows through."""

Point = tuple[float, float]


def slice_pixels(
    view: StudyView, volume: Volume, plane: Plane, index: int, settings: PictureSettings
) -> PixelArray:
    """One slice as uint8 (height, width, 3), cropped and sized as `settings` say.

    `OutsideSequence` where the crop holds nothing of the volume.
    """
    window = view.window(volume.name, settings.window_rule)
    grey = to_uint8(cut(volume.array, plane, index, settings.convention), window)
    pixels = np.repeat(grey[:, :, None], 3, axis=2)
    if settings.include_masks:
        labels = cut(view.labels_on(volume), plane, index, settings.convention)
        pixels = _paint(pixels, labels)
    size_mm = pixel_size_mm(volume.spacing_mm, plane)
    if settings.crop == "full":
        return _whole(pixels, size_mm, settings.size)
    if crop_misses(view, volume, plane, settings):
        raise OutsideSequence(
            f"Expected sequence {volume.name} of study {view.study_id} to show some of the "
            f"{FIELD_MM:.0f} mm around the brain's middle, found it elsewhere; choose another "
            "sequence, or mend the file's header."
        )
    return _around(pixels, size_mm, _brain_middle(view, volume, plane, settings), settings.size)


def crop_misses(view: StudyView, volume: Volume, plane: Plane, settings: PictureSettings) -> bool:
    """Whether the crop around the brain's middle holds nothing of the volume in that plane."""
    if settings.crop == "full":
        return False
    middle = _brain_middle(view, volume, plane, settings)
    for place, axis in zip(middle, (plane.down, plane.across), strict=True):
        reach = FIELD_MM / 2 / volume.spacing_mm[axis]
        if not -reach < place < volume.array.shape[axis] + reach:
            return True
    return False


def _paint(pixels: PixelArray, labels: NDArray[np.uint8]) -> PixelArray:
    painted = pixels.astype(np.float32)
    for compartment in COMPARTMENTS:
        here = labels == compartment.value
        colour = np.array(ImageColor.getrgb(compartment.color), dtype=np.float32)
        painted[here] = (1 - MASK_SHARE) * painted[here] + MASK_SHARE * colour
    return painted.round().astype(np.uint8)


def _whole(pixels: PixelArray, size_mm: Point, side: int | None) -> PixelArray:
    height, width = pixels.shape[0] * size_mm[0], pixels.shape[1] * size_mm[1]
    scale = side / max(height, width) if side else 1 / min(size_mm)
    target = (max(1, round(height * scale)), max(1, round(width * scale)))
    sized = resize(pixels, target)
    return in_square(sized, side) if side else sized


def _around(pixels: PixelArray, size_mm: Point, middle: Point, side: int | None) -> PixelArray:
    rows, columns = FIELD_MM / size_mm[0], FIELD_MM / size_mm[1]
    top, left = middle[0] - rows / 2, middle[1] - columns / 2
    room = int(np.ceil(max(rows, columns)))
    padded = np.pad(pixels, ((room, room), (room, room), (0, 0)))
    side = side or round(FIELD_MM / min(size_mm))
    box = (left + room, top + room, left + room + columns, top + room + rows)
    return resize(padded, (side, side), box)


def resize(
    pixels: PixelArray,
    target: tuple[int, int],
    box: tuple[float, float, float, float] | None = None,
) -> PixelArray:
    """`pixels` (or their part inside `box`: left, top, right, bottom) at (height, width).

    Bilinear with the support widened when shrinking, so that thin structures
    do not vanish; the very input where nothing changes.
    """
    if box is None and target == pixels.shape[:2]:
        return pixels
    image = Image.fromarray(pixels)
    sized = image.resize((target[1], target[0]), Image.Resampling.BILINEAR, box=box)
    return np.asarray(sized, dtype=np.uint8)


def in_square(pixels: PixelArray, side: int) -> PixelArray:
    """`pixels` in the middle of a black square."""
    square = np.zeros((side, side, 3), dtype=np.uint8)
    top, left = (side - pixels.shape[0]) // 2, (side - pixels.shape[1]) // 2
    square[top : top + pixels.shape[0], left : left + pixels.shape[1]] = pixels
    return square


def _brain_middle(
    view: StudyView, volume: Volume, plane: Plane, settings: PictureSettings
) -> Point:
    voxel = mm_to_voxel(volume.affine, np.asarray(view.slices.brain_mm))
    # Rounded so that the last bits of a flipped affine cannot move a pixel.
    voxel = np.round(voxel, 3)
    return place_in_cut(volume.array.shape, plane, voxel, settings.convention)


def place_in_cut(
    shape: tuple[int, ...], plane: Plane, voxel: NDArray[np.float64], convention: Convention
) -> Point:
    """(row, column) at which the middle of `voxel` (i, j, k) is drawn, pixel edges at 0."""
    shown = edges(plane, convention)
    row, column = float(voxel[plane.down]) + 0.5, float(voxel[plane.across]) + 0.5
    if shown.top == POSITIVE[plane.down]:
        row = shape[plane.down] - row
    if shown.left == POSITIVE[plane.across]:
        column = shape[plane.across] - column
    return row, column
