"""What label values mean: schemes, compartments, regions and their colours.

A scheme translates a file's values to canonical ones, so that the same tissue
has the same name and colour whoever wrote the mask. Regions are nested unions
of compartments: whole tumor WT, tumor core TC, enhancing tumor ET.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from segmentation.errors import UnknownLabels
from viewer.arrays import LabelArray, LabelMap
from viewer.errors import UnknownName
from viewer.layouts.layout import UNKNOWN_SCHEME

BoolArray = NDArray[np.bool_]

CORE, EDEMA, ENHANCING, CAVITY = 1, 2, 4, 8
"""Canonical values: those of BraTS up to 2021, and 8 for what is no tumor."""


@dataclass(frozen=True)
class Compartment:
    """One tissue. `color` is #rrggbb. The non-enhancing core includes necrosis."""

    value: int
    name: str
    color: str


COMPARTMENTS: tuple[Compartment, ...] = (
    Compartment(CORE, "non-enhancing core", "#0072b2"),
    Compartment(EDEMA, "edema", "#e69f00"),
    Compartment(ENHANCING, "enhancing", "#cc79a7"),
    Compartment(CAVITY, "resection cavity", "#56b4e9"),
)
"""Colours of Okabe and Ito, told apart with every common kind of colour blindness."""


@dataclass(frozen=True)
class Region:
    """A union of compartments, as tumor segmentation reports it."""

    name: str
    title: str
    values: frozenset[int]


REGIONS: dict[str, Region] = {
    "WT": Region("WT", "whole tumor", frozenset({CORE, EDEMA, ENHANCING})),
    "TC": Region("TC", "tumor core", frozenset({CORE, ENHANCING})),
    "ET": Region("ET", "enhancing tumor", frozenset({ENHANCING})),
}


@dataclass(frozen=True)
class Scheme:
    """`canonical` takes a file's value to a canonical one; other values are refused."""

    name: str
    canonical: Mapping[int, int]
    note: str


def _scheme(name: str, canonical: Mapping[int, int], note: str) -> tuple[str, Scheme]:
    return name, Scheme(name, canonical, note)


TO_2021 = {1: CORE, 2: EDEMA, 4: ENHANCING}

SCHEMES: dict[str, Scheme] = dict(
    (
        _scheme("brats-2021", TO_2021, "BraTS to 2021: 1 core, 2 edema, 4 enhancing"),
        _scheme(
            "brats-2023",
            {1: CORE, 2: EDEMA, 3: ENHANCING},
            "BraTS from 2023: 1 core, 2 edema, 3 enhancing",
        ),
        _scheme(
            "brats-2024",
            {1: CORE, 2: EDEMA, 3: ENHANCING, 4: CAVITY},
            "BraTS 2024 post-treatment: 1 core, 2 edema, 3 enhancing, 4 resection cavity",
        ),
        _scheme(
            "msd",
            {1: EDEMA, 2: CORE, 3: ENHANCING},
            "MSD Task01: 1 edema, 2 non-enhancing core, 3 enhancing",
        ),
        _scheme("ucsf-pdgm", TO_2021, "UCSF-PDGM: 1 core, 2 edema, 4 enhancing"),
        _scheme("demo", TO_2021, "synthetic demo studies: 1 core, 2 edema, 4 enhancing"),
    )
)


def scheme_named(name: str) -> Scheme:
    """The scheme of that name; `UnknownName` lists the others."""
    try:
        return SCHEMES[name]
    except KeyError:
        raise UnknownName(
            f"Expected a label scheme out of {', '.join(SCHEMES)}, got {name!r}; choose the one "
            "that the mask was drawn with."
        ) from None


def region_named(name: str) -> Region:
    """The region of that name; `UnknownName` lists the others."""
    try:
        return REGIONS[name]
    except KeyError:
        raise UnknownName(
            f"Expected a region out of {', '.join(REGIONS)}, got {name!r}; choose one of them."
        ) from None


def canonical_labels(labels: LabelMap) -> LabelArray:
    """Labels (i, j, k) uint8 with canonical values, by the map's own scheme.

    Raises `UnknownLabels` with all values found when one is not in the scheme,
    `UnknownName` where nothing says which scheme it is.
    """
    if labels.scheme == UNKNOWN_SCHEME:
        raise UnknownName(
            f"{labels.source}: expected a mask whose labels have a known meaning, but neither its "
            "name nor its layout tells their scheme; name it with --label-scheme, out of "
            f"{', '.join(SCHEMES)}."
        )
    scheme = scheme_named(labels.scheme)
    counts = np.bincount(labels.array.reshape(-1), minlength=256)
    found = [int(value) for value in np.flatnonzero(counts)]
    if any(value not in scheme.canonical for value in found if value):
        raise UnknownLabels(_refusal(labels, scheme, found))
    table = np.zeros(256, np.uint8)
    for value, canonical in scheme.canonical.items():
        table[value] = canonical
    return np.asarray(table[labels.array], dtype=np.uint8)


def _refusal(labels: LabelMap, scheme: Scheme, found: list[int]) -> str:
    known = ", ".join(str(value) for value in (0, *sorted(scheme.canonical)))
    have = ", ".join(str(value) for value in found)
    fits = [name for name, row in SCHEMES.items() if set(found) - {0} <= set(row.canonical)]
    advice = f"choose the scheme {' or '.join(fits)} if it is that" if fits else "mend the mask"
    return (
        f"{labels.source}: expected labels {known} (scheme {scheme.name}), found {have}; {advice}."
    )


def region_mask(labels: LabelMap, region: str) -> BoolArray:
    """Voxels (i, j, k) of a region, by the map's own scheme."""
    return mask_of(canonical_labels(labels), region)


def mask_of(canonical: LabelArray, region: str) -> BoolArray:
    """Voxels (i, j, k) of a region in labels that are canonical already."""
    values = region_named(region).values
    found: BoolArray = np.isin(canonical, np.array(sorted(values), np.uint8))
    return found


def paint_regions(masks: Mapping[str, BoolArray]) -> LabelArray:
    """Canonical labels from region masks: WT as edema, over it TC as core, over it ET."""
    labels = np.zeros(masks["WT"].shape, np.uint8)
    for region, value in (("WT", EDEMA), ("TC", CORE), ("ET", ENHANCING)):
        labels[masks[region]] = value
    return labels
