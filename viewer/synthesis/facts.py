"""What a synthetic study shows, measured from its labels and its displacement."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from viewer.arrays import Affine, LabelArray
from viewer.synthesis.lesion import EDEMA, ENHANCING, NON_ENHANCING, Lesion
from viewer.synthesis.recipe import Enhancement, Side
from viewer.synthesis.regions import CODES, Lobe
from viewer.synthesis.tissues import Tissues

COMPARTMENTS = {"core": NON_ENHANCING, "edema": EDEMA, "enhancing": ENHANCING}
ONE_SIDED = 0.62
"""From this share of the whole tumor on, it lies in that hemisphere; else in both."""


@dataclass(frozen=True)
class LesionFacts:
    """The truth about one study. Volumes in mL, lengths in mm, shares in 0..1.

    Extents are (left-right, front-back, top-bottom) of the bounding box.
    `volume_ml` has the labels 1, 2 and 4 as keys. `side` is "both" unless one
    side holds `ONE_SIDED`; `right_share` tells how clear that is. `lobe` holds
    most of the core, `lobe_share` how much of it.
    `midline_shift_mm` is the septum's, positive to the patient's right.
    `edema_extent` is the farthest edema from the core. `necrosis` means at
    least 0.5 mL of fluid in the core. `centre_mm` is the whole tumor's centroid.
    """

    side: Side
    right_share: float
    lobe: Lobe
    lobe_share: float
    lobes_ml: Mapping[str, float]
    enhancement: Enhancement
    volume_ml: Mapping[int, float]
    whole_ml: float
    enhancing_share: float
    edema_share: float
    core_share: float
    largest_compartment: str
    whole_extent_mm: tuple[float, float, float]
    core_extent_mm: tuple[float, float, float]
    midline_shift_mm: float
    necrosis: bool
    necrosis_ml: float
    blood_ml: float
    edema_extent: float
    crosses_midline: bool
    centre_mm: tuple[float, float, float]

    def to_json(self) -> dict[str, Any]:
        """Plain values for `json.dump`; `from_json` turns them back."""
        return asdict(self)

    @classmethod
    def from_json(cls, plain: Mapping[str, Any]) -> LesionFacts:
        """Facts as they were before `json` turned keys to text and tuples to lists."""
        values: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value
            for name, value in plain.items()
        }
        values["volume_ml"] = {int(label): ml for label, ml in plain["volume_ml"].items()}
        return cls(**values)


def measured(lesion: Lesion, tissues: Tissues, affine: Affine, shift_mm: float) -> LesionFacts:
    """Measure everything; `labels` must hold at least one core voxel."""
    labels, spacing = lesion.labels, tissues.spacing_mm
    voxel_ml = spacing**3 / 1000.0
    whole = labels > 0
    core = whole & (labels != EDEMA)
    ml = {name: float((labels == value).sum() * voxel_ml) for name, value in COMPARTMENTS.items()}
    total = sum(ml.values())
    on_right = float((tissues.source_x[whole] > 0).mean())
    lobes_ml = {
        lobe: float((tissues.regions[core] == code).sum() * voxel_ml)
        for lobe, code in CODES.items()
    }
    lobe = max(CODES, key=lambda name: lobes_ml[name])
    necrosis_ml = float((lesion.fluid * (labels == NON_ENHANCING)).sum() * voxel_ml)
    centre = affine[:3, :3] @ np.argwhere(whole).mean(axis=0) + affine[:3, 3]
    return LesionFacts(
        side="brainstem" if lobe == "brainstem" else _side(on_right),
        right_share=_short(on_right),
        lobe=lobe,
        lobe_share=_short(lobes_ml[lobe] / max(ml["core"] + ml["enhancing"], 1e-6)),
        lobes_ml={name: _short(value) for name, value in lobes_ml.items()},
        enhancement=_pattern(labels, core, ml),
        volume_ml={value: _short(ml[name]) for name, value in COMPARTMENTS.items()},
        whole_ml=_short(total),
        enhancing_share=_short(ml["enhancing"] / total),
        edema_share=_short(ml["edema"] / total),
        core_share=_short(ml["core"] / total),
        largest_compartment=max(ml, key=lambda name: ml[name]),
        whole_extent_mm=_extent_mm(whole, spacing),
        core_extent_mm=_extent_mm(core, spacing),
        midline_shift_mm=_short(shift_mm),
        necrosis=necrosis_ml >= 0.5,
        necrosis_ml=_short(necrosis_ml),
        blood_ml=_short(float(lesion.blood.sum() * voxel_ml)),
        edema_extent=_edema_extent_mm(labels, core, spacing),
        crosses_midline=0.03 < on_right < 0.97,
        centre_mm=(_short(centre[0]), _short(centre[1]), _short(centre[2])),
    )


def _side(on_right: float) -> Side:
    if on_right >= ONE_SIDED:
        return "right"
    return "left" if on_right <= 1.0 - ONE_SIDED else "both"


def _pattern(labels: LabelArray, core: NDArray[np.bool_], ml: Mapping[str, float]) -> Enhancement:
    """rim: most of the core's outer shell enhances round a large inside that does not."""
    in_core = ml["enhancing"] / max(ml["core"] + ml["enhancing"], 1e-6)
    if ml["enhancing"] < 0.1 or in_core < 0.01:
        return "none"
    if in_core >= 0.8:
        return "solid"
    shell = core & ~ndimage.binary_erosion(core)
    inside = core & ~shell
    enhancing = labels == ENHANCING
    outer, inner = enhancing[shell].mean(), enhancing[inside].mean() if inside.any() else 1.0
    return "rim" if outer >= 0.6 and outer > 1.3 * inner else "patchy"


def _extent_mm(mask: NDArray[np.bool_], spacing_mm: float) -> tuple[float, float, float]:
    where = [np.flatnonzero(mask.any(axis=tuple({0, 1, 2} - {axis}))) for axis in range(3)]
    x, y, z = (float((w[-1] - w[0] + 1) * spacing_mm) for w in where)
    return (x, y, z)


def _edema_extent_mm(labels: LabelArray, core: NDArray[np.bool_], spacing_mm: float) -> float:
    edema = labels == EDEMA
    if not edema.any():
        return 0.0
    box = ndimage.find_objects((labels > 0).astype(np.uint8))[0]
    distance = ndimage.distance_transform_edt(~core[box]) * spacing_mm
    return _short(float(np.percentile(distance[edema[box]], 99)))


def _short(value: float) -> float:
    return round(float(value), 3)
