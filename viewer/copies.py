"""The copy of a volume that goes to the browser: one byte a voxel, in one NIfTI file.

The copy is canonical RAS+, like every array here, and says in its own header
what the bytes mean: `scl_slope` and `scl_inter` give source units back, and
`cal_min`, `cal_max` are the window to show it with at first. The bytes reach
further than that window (`HEADROOM`), so that bright tissue can still be
windowed in the browser.
"""

from __future__ import annotations

from io import BytesIO

import nibabel as nib
import numpy as np
from numpy.typing import NDArray

from viewer.arrays import Affine, LabelMap, Volume
from viewer.windows import Window, display_window, to_uint8

HEADROOM = 0.5
"""How far above the display window the copy still tells values apart, as a share of its width."""

VERSION = 1
"""Raised when the bytes of a copy change, so that no browser keeps an old one."""


def browser_copy(volume: Volume) -> bytes:
    """A NIfTI-1 file, uint8 (i, j, k) RAS+, of a volume in source units."""
    shown = display_window(volume)
    kept = _copied_range(volume, shown)
    slope = (kept.high - kept.low) / 255 or 1.0
    voxels = np.empty(volume.array.shape, np.uint8)
    for i, slab in enumerate(volume.array):  # slab by slab: little memory at a time
        voxels[i] = to_uint8(slab, kept)
    return nifti_bytes(voxels, volume.affine, slope, kept.low, (shown.low, shown.high))


def label_copy(labels: LabelMap) -> bytes:
    """A NIfTI-1 file, uint8 (i, j, k) RAS+, whose values are the labels."""
    return nifti_bytes(labels.array, labels.affine)


def nifti_bytes(
    voxels: NDArray[np.uint8],
    affine: Affine,
    slope: float = 1.0,
    intercept: float = 0.0,
    shown: tuple[float, float] = (0.0, 0.0),
) -> bytes:
    """A whole single-file NIfTI-1 image; `shown` goes to cal_min and cal_max."""
    header = nib.Nifti1Header()
    header.set_data_dtype(np.uint8)
    header.set_data_shape(voxels.shape)
    header.set_sform(affine, code="aligned")
    header.set_qform(affine, code="aligned")
    header.set_xyzt_units("mm")
    header.set_slope_inter(slope, intercept)
    header["cal_min"], header["cal_max"] = shown
    header["vox_offset"] = header.single_vox_offset
    file = BytesIO()
    header.write_to(file)
    file.write(b"\0" * (header.single_vox_offset - file.tell()))
    file.write(voxels.tobytes(order="F"))
    return file.getvalue()


def _copied_range(volume: Volume, shown: Window) -> Window:
    """The display window and its headroom, no wider than the values that occur."""
    everything = display_window(volume, rule="min-max")
    high = shown.high + HEADROOM * (shown.high - shown.low)
    return Window(shown.low, min(high, max(everything.high, shown.high)), "copy")
