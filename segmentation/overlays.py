"""The masks of a study as the panes draw them: address, names and colours."""

from __future__ import annotations

from urllib.parse import quote

from segmentation.regions import COMPARTMENTS
from viewer.arrays import LabelMap
from viewer.panes import OverlayEntry, PaneOverlay
from viewer.study import Study

ENTRIES = tuple(OverlayEntry(c.value, c.name, c.color) for c in COMPARTMENTS)


def overlays_of(study: Study, predicted: LabelMap | None) -> list[PaneOverlay]:
    """The expert's mask and the predicted one, as far as they exist. No voxel is read."""
    overlays = []
    if study.mask("expert") is not None:
        overlays.append(PaneOverlay("expert", mask_url(study.id, "expert"), ENTRIES, "expert mask"))
    if predicted is not None:
        # The weights stand in the address, so that a mask of other weights is another address.
        url = f"{mask_url(study.id, 'predicted')}?by={quote(predicted.source, safe='')}"
        overlays.append(PaneOverlay("predicted", url, ENTRIES, predicted.source))
    return overlays


def mask_url(study_id: str, kind: str) -> str:
    """Where a mask is fetched from, relative to the page."""
    return f"masks/{quote(study_id, safe='')}/{kind}.nii"
