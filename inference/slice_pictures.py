"""One slice, or one grid of slices, as a picture with its caption.

What the caption says and what the pixels show is read from the same tile.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from inference.coverage import drawable
from inference.drawing import in_square, slice_pixels
from inference.lettering import strip_height, with_strip
from inference.montages import Cell, compose, grid_for
from inference.pictures import Picture, PictureSettings, PixelArray, Tile, freeze, pixel_hash
from inference.slices import slice_in
from inference.study_views import StudyView
from viewer.arrays import Volume
from viewer.planes import edges, plane_named


def slice_picture(
    view: StudyView, volume: Volume, plane: str, index: int, settings: PictureSettings
) -> Picture:
    """One slice of one sequence; `index` counts the volume's own voxels."""
    tile = _tile(view, volume, plane, index, settings)
    draw = _lettered if settings.edge_letters else _bare
    caption = f"{plane.capitalize()} {volume.name}, slice {index}"
    return _picture(draw(view, volume, tile, settings), caption, tile, settings)


def montage_picture(view: StudyView, plane: str, settings: PictureSettings) -> Picture:
    """The chosen slice of every sequence that has it in one grid, each below its name."""
    volumes, _ = drawable(view, plane, settings)
    grid = grid_for(len(volumes), settings.size)
    tiles = [
        _tile(view, volume, plane, slice_in(volume, view.slices, plane), settings)
        for volume in volumes
    ]
    drawn = _alike(view, volumes, tiles, replace(settings, size=grid.side))
    cells = [
        Cell(pixels, tile.sequence, *_letters(tile, settings))
        for pixels, tile in zip(drawn, tiles, strict=True)
    ]
    pixels = compose(cells, grid)
    if settings.size:
        pixels = in_square(pixels, settings.size)
    names = ", ".join(tile.sequence for tile in tiles)
    whole = Tile(names, plane, None, None)
    picture = _picture(pixels, f"{plane.capitalize()} slices: {names}", whole, settings)
    return replace(picture, tiles=tuple(tiles))


def _alike(
    view: StudyView, volumes: Sequence[Volume], tiles: Sequence[Tile], settings: PictureSettings
) -> list[PixelArray]:
    """The tiles' pixels; sequences of other grids are scaled to the largest of them."""
    pairs = list(zip(volumes, tiles, strict=True))
    drawn = [_bare(view, volume, tile, settings) for volume, tile in pairs]
    if len({pixels.shape for pixels in drawn}) == 1:
        return drawn
    side = max(max(pixels.shape[:2]) for pixels in drawn)
    return [_bare(view, volume, tile, replace(settings, size=side)) for volume, tile in pairs]


def _bare(view: StudyView, volume: Volume, tile: Tile, settings: PictureSettings) -> PixelArray:
    assert tile.index is not None
    return slice_pixels(view, volume, plane_named(tile.plane), tile.index, settings)


def _lettered(view: StudyView, volume: Volume, tile: Tile, settings: PictureSettings) -> PixelArray:
    """The slice below a strip with its edge letters; a wanted size holds for both together."""
    size = settings.size
    inner = replace(settings, size=size - strip_height(size)) if size else settings
    pixels = with_strip(_bare(view, volume, tile, inner), "", *_letters(tile, settings))
    return in_square(pixels, size) if size else pixels


def _letters(tile: Tile, settings: PictureSettings) -> tuple[str, str]:
    if not settings.edge_letters:
        return "", ""
    sides = edges(plane_named(tile.plane), settings.convention)
    return sides.left, sides.right


def _tile(
    view: StudyView, volume: Volume, plane: str, index: int, settings: PictureSettings
) -> Tile:
    window = view.window(volume.name, settings.window_rule)
    return Tile(volume.name, plane, index, (window.low, window.high))


def _picture(pixels: PixelArray, caption: str, tile: Tile, settings: PictureSettings) -> Picture:
    frozen = freeze(pixels)
    return Picture(
        pixels=frozen,
        caption=caption if settings.captions else "",
        sequence=tile.sequence,
        plane=tile.plane,
        index=tile.index,
        window=tile.window,
        convention=settings.convention,
        sha256=pixel_hash(frozen),
        includes_mask=settings.include_masks,
    )
