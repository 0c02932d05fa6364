"""Brains with other tumors than their own: healed, painted, transplanted."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.random import Generator
from scipy import ndimage

from segmentation.training.lesion_looks import paint
from segmentation.training.lesion_shapes import lesion_labels
from segmentation.training.specimen import BoolArray, Specimen, brain_statistics
from segmentation.training.warping import Motion, random_drift, random_matrix, warp
from viewer.arrays import FloatArray

FLAIR, T1 = 0, 2


def heal(specimen: Specimen) -> Specimen:
    """Replace the tumor by the other hemisphere's tissue.

    Where the mirror image holds tumor too, that tumor and its labels stay.
    """
    mirrored = _mirrored(specimen)
    sick = specimen.labels > 0
    margin = ndimage.binary_dilation(sick, iterations=2) & mirrored.brain
    alpha = ndimage.gaussian_filter(margin.astype(np.float32), 1.0)
    alpha = np.where(mirrored.brain, alpha, 0.0).astype(np.float32)
    image = specimen.image + alpha * (mirrored.image - specimen.image)
    labels = np.where(sick, mirrored.labels, 0).astype(np.uint8)
    return replace(specimen, image=image * specimen.brain, labels=labels)


def _mirrored(specimen: Specimen) -> Specimen:
    centre = np.argwhere(specimen.brain).mean(axis=0).astype(np.float32)
    return warp(
        specimen, Motion(np.diag([-1, 1, 1]).astype(np.float32), centre, centre), specimen.shape
    )


def fluid_like(specimen: Specimen) -> BoolArray:
    """Ventricles and sulci: dark in T1 and in FLAIR, outside the tumor."""
    mean, deviation = brain_statistics(specimen.image, specimen.brain)
    z = (specimen.image - mean) / deviation
    dark = (z[T1] < -1.2) & (z[FLAIR] < -0.7)
    return np.asarray(specimen.brain & dark & (specimen.labels == 0), dtype=bool)


def painted(specimen: Specimen, rng: Generator) -> Specimen:
    """The specimen with one more, invented tumor."""
    labels = lesion_labels(specimen.brain, fluid_like(specimen), rng)
    image = paint(specimen, labels, rng)
    return replace(specimen, image=image, labels=np.where(labels > 0, labels, specimen.labels))


def transplanted(recipient: Specimen, donor: Specimen, rng: Generator) -> Specimen:
    """The donor's tumor, moved and bent, in the recipient's brain."""
    centre_in = np.argwhere(donor.labels > 0).mean(axis=0).astype(np.float32)
    places = np.argwhere(recipient.brain)
    centre_out = places[rng.integers(len(places))].astype(np.float32)
    matrix = random_matrix(rng, degrees=60, zoom=0.5, mirror=rng.random() < 0.5)
    drift = random_drift(recipient.shape, rng, 3.0)
    moved = warp(donor, Motion(matrix, centre_out, centre_in, drift), recipient.shape)
    sick = (moved.labels > 0) & recipient.brain
    alpha = ndimage.gaussian_filter(sick.astype(np.float32), rng.uniform(0.4, 1.0))
    alpha = np.where(moved.brain & recipient.brain, alpha, 0.0).astype(np.float32)
    image = recipient.image + alpha * (_matched(moved, donor, recipient) - recipient.image)
    labels = np.where(sick, moved.labels, recipient.labels).astype(np.uint8)
    return replace(recipient, image=np.clip(image, 0.0, None), labels=labels)


def _matched(moved: Specimen, donor: Specimen, recipient: Specimen) -> FloatArray:
    """The moved donor in the recipient's brightness scale."""
    mean, deviation = brain_statistics(donor.image, donor.brain & (donor.labels == 0))
    mean_to, deviation_to = brain_statistics(
        recipient.image, recipient.brain & (recipient.labels == 0)
    )
    return np.asarray((moved.image - mean) / deviation * deviation_to + mean_to, np.float32)
