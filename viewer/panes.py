"""What the panes show, as one value that Python hands to the browser.

A `PaneSpec` names files by address and says where to start. Everything that
happens after (scrolling, windows, label visibility, layout) is the browser's
own state and never comes back here.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, get_args
from urllib.parse import quote

from viewer.planes import PLANES, Convention, PlaneName, edges
from viewer.study import Study, in_reading_order

Layout = Literal["grid", "planes"]
OverlayKind = Literal["expert", "predicted"]


@dataclass(frozen=True)
class OverlayEntry:
    """One label: its value in the mask, what it is, and its colour as #rrggbb."""

    value: int
    name: str
    color: str


@dataclass(frozen=True)
class PaneOverlay:
    """A label map over the panes. `source` says whose labels they are."""

    kind: OverlayKind
    url: str
    entries: tuple[OverlayEntry, ...]
    source: str = ""


@dataclass(frozen=True)
class PaneSequence:
    """One sequence and the address of its 8-bit copy."""

    name: str
    url: str


@dataclass(frozen=True)
class PaneSpec:
    """A study on the panes.

    `slice_mm` is the point to open at (world mm), None for the tumor's largest
    slice or, without a mask, the middle. `jump` gives the slice of largest
    tumor area of each plane as a voxel index of the mask's RAS+ array; the
    browser finds it itself where it is empty. `findings` is the address of what
    is known of the masks together (`segmentation.routes`), empty where nobody
    tells it.
    """

    study: str
    sequences: tuple[PaneSequence, ...]
    overlays: tuple[PaneOverlay, ...] = ()
    layout: Layout = "grid"
    plane: PlaneName = "axial"
    convention: Convention = "radiological"
    slice_mm: tuple[float, float, float] | None = None
    jump: dict[str, int] = field(default_factory=dict)
    findings: str = ""
    note: str = ""


def pane_spec(study: Study, overlays: Sequence[PaneOverlay] = (), **choices: Any) -> PaneSpec:
    """The spec of a study: its sequences in reading order, and what else is known.

    `choices` are further fields of `PaneSpec`. No voxel is read.
    """
    names = in_reading_order([sequence.name for sequence in study.sequences])
    sequences = tuple(PaneSequence(name, volume_url(study.id, name)) for name in names)
    note = "Synthetic study" if study.synthetic else ""
    return PaneSpec(study.id, sequences, tuple(overlays), **{"note": note, **choices})


def volume_url(study_id: str, sequence: str) -> str:
    """Where a sequence is fetched from, relative to the page."""
    return f"volumes/{quote(study_id, safe='')}/{quote(sequence, safe='')}.nii"


def to_json(spec: PaneSpec | None) -> str:
    """The spec and the orientation convention, as the browser reads them."""
    shown = None if spec is None else asdict(spec)
    return json.dumps({"spec": shown, "planes": plane_rows()})


def plane_rows() -> dict[str, Any]:
    """The rows of `viewer.planes`, so that the browser draws letters by the same table."""
    return {
        plane.name: {
            "through": plane.through,
            "across": plane.across,
            "down": plane.down,
            "edges": {name: asdict(edges(plane, name)) for name in get_args(Convention)},
        }
        for plane in PLANES.values()
    }
