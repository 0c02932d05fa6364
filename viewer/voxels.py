"""Voxels of a file, read by its header and turned to RAS+."""

from __future__ import annotations

import zlib
from typing import Any

import numpy as np
from nibabel.arrayproxy import ArrayProxy
from nibabel.orientations import apply_orientation, inv_ornt_aff, io_orientation
from numpy.typing import NDArray

from viewer.arrays import Affine
from viewer.errors import UnreadableFile
from viewer.formats import open_payload, reason_of
from viewer.headers import Header, volume_shape
from viewer.storage import Storage


def read_voxels(header: Header, frame: int | None) -> NDArray[Any]:
    """The voxels (i, j, k) as stored: their own type where nothing scales them, else float32.

    `frame` picks one volume of a 4-D file. Raises `UnreadableFile` for a file
    that is cut short or broken, for a 4-D file without a frame, and for a frame
    that the file does not have.
    """
    if frame is None:
        volume_shape(header)
    elif len(header.shape) != 4 or not 0 <= frame < header.frames:
        raise UnreadableFile(
            f"{header.path.name}: expected volume {frame} of a 4-D file, got shape "
            f"{header.shape}; list the studies again."
        )
    how = header.storage
    try:
        with open_payload(header.data_path, header.compressed) as stream:
            proxy = ArrayProxy(stream, (header.shape, how.dtype, how.offset), mmap=False)
            if frame is not None:
                return _scaled(np.asarray(proxy[..., frame]), how)
            stored = np.asarray(proxy)
            stream.read(1)  # to the end of the gzip member: its checksum is compared
            return _scaled(stored, how)
    except (OSError, EOFError, ValueError, zlib.error) as error:
        raise UnreadableFile(
            f"{header.path.name}: cut short or broken, expected {header.shape} voxels, got "
            f"{reason_of(error)}; fetch the file again."
        ) from error


def _scaled(stored: NDArray[Any], how: Storage) -> NDArray[Any]:
    """Slice by slice: computed in float64, kept in float32, so that memory is never doubled."""
    if (how.slope, how.intercept) == (1.0, 0.0):
        return stored
    scaled = np.empty(stored.shape, np.float32, order="F")
    with np.errstate(over="ignore", invalid="ignore"):  # beyond float32 becomes infinite
        for k in range(stored.shape[2]):
            scaled[:, :, k] = stored[:, :, k].astype(np.float64) * how.slope + how.intercept
    return scaled


def to_canonical(array: NDArray[Any], affine: Affine) -> tuple[NDArray[Any], Affine]:
    """Flip and swap axes so that i, j, k grow to the right, front and top.

    Nothing is interpolated: an oblique volume keeps its rotation in the affine.
    """
    orientation = io_orientation(affine)
    turned = apply_orientation(array, orientation)
    return turned, affine @ inv_ornt_aff(orientation, array.shape)


def canonical_grid(
    affine: Affine, shape: tuple[int, int, int]
) -> tuple[Affine, tuple[int, int, int]]:
    """Affine and shape that `to_canonical` would give, without an array."""
    orientation = io_orientation(affine)
    sizes = [0, 0, 0]
    for size, (axis, _) in zip(shape, orientation, strict=True):
        sizes[int(axis)] = size
    return affine @ inv_ornt_aff(orientation, shape), (sizes[0], sizes[1], sizes[2])
