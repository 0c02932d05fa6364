"""Scanner and patient variety: contrast, bias, blur, noise, field of view, pose."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from scipy import ndimage

from segmentation.resampling import Shape
from segmentation.training.fields import smooth_field
from segmentation.training.specimen import BoolArray, Specimen, brain_statistics
from segmentation.training.warping import Motion, random_drift, random_matrix, warp
from viewer.arrays import FloatArray, LabelArray


@dataclass(frozen=True, eq=False)
class Patch:
    """What the network sees: z-scored `image` (4, i, j, k) and its `labels` (i, j, k)."""

    image: FloatArray
    labels: LabelArray


def rescanned(specimen: Specimen, rng: Generator) -> FloatArray:
    """The specimen's channels as another scanner might show them, z-scored in the brain."""
    channels = [_other_contrast(channel, specimen.brain, rng) for channel in specimen.image]
    image = np.stack(channels)
    mean, deviation = brain_statistics(image, specimen.brain)
    return np.asarray((image - mean) / deviation * specimen.brain, dtype=np.float32)


def _other_contrast(channel: FloatArray, brain: BoolArray, rng: Generator) -> FloatArray:
    inside = channel[brain]
    low, high = np.percentile(inside[::7], [1.0, 99.0])
    unit = np.clip((channel - low) / max(float(high - low), 1e-6), 0.0, 2.0)
    curved = unit ** np.exp(rng.normal(0.0, 0.22))
    if rng.random() < 0.3:
        knots = np.sort(rng.uniform(0.0, 1.0, 4))
        curved = 0.5 * curved + 0.5 * np.interp(unit, [0, 0.25, 0.5, 0.75, 1, 2], [0, *knots, 2])
    if rng.random() < 0.7:
        i, j, k = channel.shape
        field = smooth_field((i, j, k), rng.uniform(25, 60), rng)
        curved = (curved + 0.2) * np.exp(rng.uniform(0.0, 0.2) * field)
    return np.asarray(curved, dtype=np.float32)


def patches(
    specimen: Specimen, image: FloatArray, shape: Shape, count: int, rng: Generator
) -> list[Patch]:
    """Deformed views of a brain, whole or in part."""
    seen = Specimen(specimen.name, image, specimen.labels, specimen.brain)
    return [_patch(seen, shape, rng) for _ in range(count)]


def _patch(specimen: Specimen, shape: Shape, rng: Generator) -> Patch:
    centre_in, jitter = _look_at(specimen, shape, rng)
    centre_out = (np.array(shape) / 2.0 + jitter).astype(np.float32)
    matrix = random_matrix(rng, degrees=20, zoom=0.25, mirror=rng.random() < 0.5)
    drift = random_drift(shape, rng, 3.0) if rng.random() < 0.6 else None
    moved = warp(specimen, Motion(matrix, centre_out, centre_in, drift), shape)
    return _field_of_view(Patch(_degraded(moved, rng), moved.labels), rng)


def _look_at(specimen: Specimen, shape: Shape, rng: Generator) -> tuple[FloatArray, FloatArray]:
    """The voxel to look at and how far from the patch's middle to put it, in voxels.

    Two of three patches look at tumor, but never past the brain's box: where a
    patch is as wide as the brain, it looks at the brain's middle.
    """
    places = np.argwhere(specimen.labels > 0)
    if len(places) == 0 or rng.random() < 0.33:
        places = np.argwhere(specimen.brain)
    half, size = np.array(shape) / 2.0, np.array(specimen.shape)
    chosen = np.clip(places[rng.integers(len(places))], half, np.maximum(size - half, half))
    centre = np.where(half * 2.0 >= size, size / 2.0, chosen).astype(np.float32)
    return centre, np.asarray(rng.uniform(-4.0, 4.0, 3), dtype=np.float32)


def _degraded(specimen: Specimen, rng: Generator) -> FloatArray:
    """Blur, noise and a wrong normalisation, each channel on its own."""
    image = specimen.image.copy()
    for channel in image:
        if rng.random() < 0.3:
            sigma = rng.uniform(0.0, 1.0, 3) * (rng.random(3) < 0.5)
            channel[...] = ndimage.gaussian_filter(channel, sigma)
        if rng.random() < 0.5:
            noise = rng.standard_normal(channel.shape, dtype=np.float32)
            channel += noise * np.float32(rng.uniform(0.0, 0.2))
        channel *= np.float32(np.exp(rng.normal(0.0, 0.12)))
        channel += np.float32(rng.normal(0.0, 0.12))
    return image * specimen.brain


def _field_of_view(patch: Patch, rng: Generator) -> Patch:
    """Sometimes the scan ended early: for one channel, or for all and the labels too."""
    chance = rng.random()
    if chance > 0.12:
        return patch
    depth = int(rng.integers(2, 14))
    ends = (slice(None, depth), slice(-depth, None))
    cut = (slice(None), slice(None), ends[rng.integers(2)])
    if chance < 0.06:
        patch.image[(int(rng.integers(4)), *cut)] = 0.0
        return patch
    patch.image[(slice(None), *cut)] = 0.0
    patch.labels[cut] = 0
    return patch
