"""The lesion's shape: a ragged core, its compartments, edema along white matter."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from viewer.arrays import FloatArray, LabelArray
from viewer.synthesis.fields import smooth_noise
from viewer.synthesis.recipe import Recipe
from viewer.synthesis.spread import arrival
from viewer.synthesis.tissues import Tissues

NON_ENHANCING, EDEMA, ENHANCING = 1, 2, 4
"""The label values of BraTS 2018 to 2021 and of UCSF-PDGM."""

Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Lesion:
    """`labels` uint8 with 1, 2, 4; `fluid` and `blood` are parts of the core (shares 0..1)."""

    labels: LabelArray
    fluid: FloatArray
    blood: FloatArray


def grow(
    recipe: Recipe,
    tissues: Tissues,
    centre_mm: NDArray[np.float64],
    grid_mm: FloatArray,
    rng: np.random.Generator,
) -> Lesion:
    """A lesion of the recipe's volumes at `centre_mm` (study mm).

    Volumes are met by ranking voxels, so they hold to a voxel wherever the
    brain has room for them.
    """
    voxel_ml = tissues.spacing_mm**3 / 1000.0
    core = _core(recipe, tissues, centre_mm, grid_mm, rng, voxel_ml)
    edema = _edema(recipe, tissues, core, rng, voxel_ml)
    labels = np.zeros(core.shape, dtype=np.uint8)
    labels[edema] = EDEMA
    labels[core] = NON_ENHANCING
    depth = _depth_mm(core, tissues.spacing_mm)
    enhancing = _enhancing(recipe, core, depth, tissues.spacing_mm, rng)
    labels[enhancing] = ENHANCING
    return Lesion(
        labels=labels,
        fluid=_fluid(recipe, labels == NON_ENHANCING, depth, tissues.spacing_mm, rng),
        blood=_blood(recipe, core, tissues.spacing_mm, rng),
    )


def _core(
    recipe: Recipe,
    tissues: Tissues,
    centre_mm: NDArray[np.float64],
    grid_mm: FloatArray,
    rng: np.random.Generator,
    voxel_ml: float,
) -> Mask:
    """The `core_ml` nearest to a few overlapping ellipsoids, roughened by noise."""
    radius = float(np.cbrt(recipe.core_ml * 1000.0 * 3.0 / (4.0 * np.pi)))
    nearness = np.full(tissues.shape, np.inf, dtype=np.float32)
    for middle, radii in _ellipsoids(recipe, centre_mm, radius, rng):
        offset = (grid_mm - middle.reshape(3, 1, 1, 1)) / radii.reshape(3, 1, 1, 1)
        nearness = np.minimum(nearness, np.sqrt((offset.astype(np.float32) ** 2).sum(axis=0)))
    shape, spacing = tissues.shape, tissues.spacing_mm
    coarse = smooth_noise(rng, shape, spacing, max(0.8 * radius, 6.0))
    fine = smooth_noise(rng, shape, spacing, max(0.3 * radius, 4.0))
    nearness += recipe.irregularity * (0.22 * coarse + 0.12 * fine)
    nearness += _forbidden(recipe, tissues)
    chosen = _chosen(nearness, round(recipe.core_ml / voxel_ml), recipe, tissues)
    return _large_parts(ndimage.binary_fill_holes(chosen))


def _ellipsoids(
    recipe: Recipe, centre_mm: NDArray[np.float64], radius: float, rng: np.random.Generator
) -> list[tuple[NDArray[np.float64], NDArray[np.float64]]]:
    """(centre, radii) in study mm; a butterfly has a wing on either side."""
    if recipe.side == "both":
        wing = np.array([0.85 * radius, 0.0, 0.0])
        radii = np.array([0.75, 0.8, 0.65]) * radius
        bridge = (centre_mm, np.array([0.9, 0.45, 0.4]) * radius)
        return [(centre_mm - wing, radii), (centre_mm + wing, radii), bridge]
    lobes = [(centre_mm, radius * np.exp(rng.normal(0.0, 0.18, 3)))]
    for _ in range(int(rng.integers(0, 4))):
        direction = rng.normal(size=3)
        direction *= radius * rng.uniform(0.4, 0.8) / np.linalg.norm(direction)
        radii = radius * rng.uniform(0.35, 0.7) * np.exp(rng.normal(0.0, 0.15, 3))
        lobes.append((centre_mm + direction, radii))
    return lobes


def _forbidden(recipe: Recipe, tissues: Tissues) -> FloatArray:
    """What keeps a core in its compartment: skull, falx, tentorium, ventricles."""
    cost = np.where(tissues.brain, 0.0, 50.0).astype(np.float32)
    cost += 0.8 * tissues.csf
    if recipe.side in ("right", "left"):
        sign = 1.0 if recipe.side == "right" else -1.0
        other_side = np.clip(4.0 - sign * tissues.source_x, 0.0, 20.0)
        cost += 0.15 * other_side * (1.0 - 0.5 * tissues.white)
    below = tissues.infratentorial != (recipe.lobe in ("cerebellum", "brainstem"))
    cost += np.where(below, 3.0, 0.0).astype(np.float32)
    return cost


def _edema(
    recipe: Recipe, tissues: Tissues, core: Mask, rng: np.random.Generator, voxel_ml: float
) -> Mask:
    """The `edema_ml` that a front starting at the core would reach first."""
    count = round(recipe.edema_ml / voxel_ml)
    if count == 0:
        return np.zeros(core.shape, dtype=bool)
    wander = np.exp(0.45 * smooth_noise(rng, core.shape, tissues.spacing_mm, 18.0))
    slowness = (1.0 + 2.2 * tissues.grey + 6.0 * tissues.csf) * wander
    midline = (np.abs(tissues.source_x) < 2.5) & (tissues.white < 0.6)
    slowness = np.where(midline, slowness + 12.0, slowness)
    below = tissues.infratentorial != (recipe.lobe in ("cerebellum", "brainstem"))
    slowness = np.where(below, slowness + 6.0, slowness)
    slowness = np.where(tissues.brain & (tissues.csf < 0.65), slowness, 60.0).astype(np.float32)
    reach = 14.0 + 3.2 * float(np.cbrt(recipe.whole_ml * 1000.0))
    time = arrival(core, slowness, tissues.spacing_mm, min(reach, 130.0))
    time = time + 0.8 * smooth_noise(rng, core.shape, tissues.spacing_mm, 5.0)
    time = np.where(core | ~tissues.brain | (tissues.csf >= 0.65), np.inf, time)
    return _chosen(time, count, recipe, tissues)


def _enhancing(
    recipe: Recipe, core: Mask, depth: FloatArray, spacing_mm: float, rng: np.random.Generator
) -> Mask:
    """Where the core takes up contrast, ranked by what the pattern prefers."""
    count = round(recipe.enhancing_of_core * int(core.sum()))
    if recipe.enhancement == "none" or count == 0:
        return np.zeros(core.shape, dtype=bool)
    uneven = smooth_noise(rng, core.shape, spacing_mm, 14.0)
    fine = smooth_noise(rng, core.shape, spacing_mm, 6.0)
    radius = max(float(depth.max()), 1.0)
    preference = {
        "rim": depth + radius * (0.10 * uneven + 0.05 * fine),
        "solid": 0.25 * depth / radius + uneven + 0.4 * fine,
        "patchy": uneven + 0.8 * fine,
    }[recipe.enhancement]
    return _least(np.where(core, preference, np.inf).astype(np.float32), count)


def _fluid(
    recipe: Recipe, inner: Mask, depth: FloatArray, spacing_mm: float, rng: np.random.Generator
) -> FloatArray:
    """Necrotic fluid in the deeper part of the non-enhancing core."""
    if not recipe.necrosis or not inner.any():
        return np.zeros(inner.shape, dtype=np.float32)
    share = float(rng.uniform(0.45, 0.9))
    wish = -depth + 1.5 * smooth_noise(rng, inner.shape, spacing_mm, 9.0)
    chosen = _least(
        np.where(inner, wish, np.inf).astype(np.float32), round(share * int(inner.sum()))
    )
    return _blurred(chosen, 0.9 / spacing_mm)


def _blood(recipe: Recipe, core: Mask, spacing_mm: float, rng: np.random.Generator) -> FloatArray:
    """Blood products: small clusters in the core."""
    if not recipe.blood:
        return np.zeros(core.shape, dtype=np.float32)
    wish = smooth_noise(rng, core.shape, spacing_mm, 7.0)
    share = float(rng.uniform(0.02, 0.10))
    chosen = _least(
        np.where(core, wish, np.inf).astype(np.float32), max(1, round(share * int(core.sum())))
    )
    return _blurred(chosen, 0.6 / spacing_mm)


def _depth_mm(core: Mask, spacing_mm: float) -> FloatArray:
    """Distance from each core voxel to the outside, in mm, found within the core's box."""
    depth = np.zeros(core.shape, dtype=np.float32)
    box = ndimage.find_objects(core.astype(np.uint8))[0]
    wide = tuple(slice(max(part.start - 1, 0), part.stop + 1) for part in box)
    depth[wide] = ndimage.distance_transform_edt(core[wide]) * spacing_mm
    return depth


def _least(values: FloatArray, count: int) -> Mask:
    """The `count` finite voxels of least value."""
    flat = values.ravel()
    candidates = np.flatnonzero(np.isfinite(flat))
    count = min(count, candidates.size)
    chosen = np.zeros(flat.size, dtype=bool)
    if count > 0:
        best = np.argpartition(flat[candidates], count - 1)[:count]
        chosen[candidates[best]] = True
    return chosen.reshape(values.shape)


def _chosen(values: FloatArray, count: int, recipe: Recipe, tissues: Tissues) -> Mask:
    """The `count` voxels of least value; of a butterfly, half of them on either side."""
    if recipe.side != "both":
        return _least(values, count)
    on_right = tissues.source_x > 0.0
    right = _least(np.where(on_right, values, np.inf).astype(np.float32), count // 2)
    left = _least(np.where(on_right, np.inf, values).astype(np.float32), count - count // 2)
    return right | left


def _blurred(mask: Mask, sigma: float) -> FloatArray:
    return np.asarray(ndimage.gaussian_filter(mask.astype(np.float32), sigma), dtype=np.float32)


def _large_parts(mask: Mask) -> Mask:
    """Without crumbs: the parts that hold at least an eighth of the whole."""
    parts, found = ndimage.label(mask)
    if found <= 1:
        return mask
    sizes = np.bincount(parts.ravel())
    sizes[0] = 0
    return np.asarray((sizes >= sizes.sum() / 8.0)[parts])
