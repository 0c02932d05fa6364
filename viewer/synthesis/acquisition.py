"""What a scanner does to an image: bias, blur, thick slices, noise, a cut field of view."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy import ndimage

from viewer.arrays import FloatArray
from viewer.synthesis.fields import smooth_noise
from viewer.synthesis.tissues import Tissues

if TYPE_CHECKING:
    from viewer.synthesis.contrast import Image

FLOOR = 1.0
"""Least brightness inside the brain, so that zero always means background."""


@dataclass(frozen=True)
class Scan:
    """One sequence's acquisition.

    `noise` is the deviation of Rician noise and `gain` the factor to file
    units, where white matter is 100 before it. `bias` is the deviation of the
    logarithm of a smooth field of `bias_mm`. `slice_mm` along array axis
    `slice_axis` is the thickness before resampling; `lost_mm` is missing at the
    top (positive) or the bottom (negative). `jitter_mm` is a registration error.
    """

    gain: float = 1.0
    noise: float = 2.0
    bias: float = 0.05
    bias_mm: float = 90.0
    blur_mm: float = 0.0
    gamma: float = 1.0
    slice_axis: int = 2
    slice_mm: float = 0.0
    lost_mm: float = 0.0
    jitter_mm: tuple[float, float, float] = (0.0, 0.0, 0.0)


def acquired(image: Image, tissues: Tissues, rng: np.random.Generator) -> FloatArray:
    """Scan an image: float32 (i, j, k), exactly 0 outside the brain."""
    scan, brain, spacing = image.scan, tissues.brain, tissues.spacing_mm
    values = image.brightness
    if scan.gamma != 1.0:
        scaled = np.power(np.maximum(values, 0.0) / 100.0, scan.gamma)
        values = np.asarray(100.0 * scaled, dtype=np.float32)
    values = _resolved(values, scan, tissues)
    if scan.bias > 0.0:
        field = smooth_noise(rng, tissues.shape, spacing, scan.bias_mm)[brain]
        values = values * np.exp(scan.bias * field)
    real = values + scan.noise * rng.standard_normal(values.size, dtype=np.float32)
    imaginary = scan.noise * rng.standard_normal(values.size, dtype=np.float32)
    volume = np.zeros(tissues.shape, dtype=np.float32)
    volume[brain] = np.maximum(np.hypot(real, imaginary) * scan.gain, FLOOR)
    return _cut(volume, scan.lost_mm, tissues)


def _resolved(values: FloatArray, scan: Scan, tissues: Tissues) -> FloatArray:
    """Blur, slice thickness and misregistration; the brain's edge does not darken."""
    if scan.blur_mm == 0.0 and scan.slice_mm == 0.0 and not any(scan.jitter_mm):
        return values
    spacing, brain = tissues.spacing_mm, tissues.brain
    pair = np.zeros((2, *tissues.shape), dtype=np.float32)
    pair[0][brain], pair[1][brain] = values, 1.0
    for part in pair:
        if scan.blur_mm > 0.0:
            ndimage.gaussian_filter(part, scan.blur_mm / spacing, output=part, truncate=2.5)
        if scan.slice_mm > spacing:
            part[...] = _thick(part, scan.slice_axis, scan.slice_mm / spacing)
        for axis, step in enumerate(scan.jitter_mm):
            _slide(part, axis, step / spacing)
    inside = pair[1][brain]
    blurred = pair[0][brain] / np.maximum(inside, 0.05)
    return np.where(inside > 0.05, blurred, values).astype(np.float32)


def _slide(volume: FloatArray, axis: int, voxels: float) -> None:
    """Move along an axis by less than a voxel or so, in place, interpolating linearly."""
    whole = int(np.floor(voxels))
    part = np.float32(voxels - whole)
    if voxels != 0.0:
        moved = np.roll(volume, whole, axis)
        volume[...] = (1.0 - part) * moved + part * np.roll(volume, whole + 1, axis)


def _thick(volume: FloatArray, axis: int, voxels: float) -> FloatArray:
    """Average over slices of `voxels` voxels and interpolate back."""
    along = np.moveaxis(volume, axis, 0)
    size = along.shape[0]
    smooth = ndimage.uniform_filter1d(along, max(2, round(voxels)), axis=0)
    centres = np.arange(0.0, size - 1, voxels)
    taken = smooth[np.rint(centres).astype(int)]
    place = np.clip(np.arange(size) / voxels, 0.0, len(centres) - 1.0)
    low = np.minimum(place.astype(int), max(len(centres) - 2, 0))
    part = (place - low).astype(np.float32).reshape(-1, 1, 1)
    high = np.minimum(low + 1, len(centres) - 1)
    return np.moveaxis(taken[low] * (1.0 - part) + taken[high] * part, 0, axis)


def _cut(volume: FloatArray, lost_mm: float, tissues: Tissues) -> FloatArray:
    """Drop slices at the brain's top (positive) or bottom (negative)."""
    count = round(abs(lost_mm) / tissues.spacing_mm)
    if count == 0:
        return volume
    levels = np.flatnonzero(tissues.brain.any(axis=(0, 1)))
    lost = levels[-count:] if lost_mm > 0 else levels[:count]
    volume[:, :, lost] = 0.0
    return volume
