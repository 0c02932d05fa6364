"""The masks of a study as the panes draw them: address, names and colours."""

from __future__ import annotations

from urllib.parse import quote

from segmentation.regions import COMPARTMENTS, SCHEMES, scheme_named
from viewer.arrays import LabelMap
from viewer.panes import OverlayEntry, PaneOverlay
from viewer.study import Study


def entries_of(scheme: str) -> tuple[OverlayEntry, ...]:
    """The compartments that a scheme can mark, in their colours."""
    values = set(scheme_named(scheme).canonical.values())
    return tuple(OverlayEntry(c.value, c.name, c.color) for c in COMPARTMENTS if c.value in values)


def overlays_of(study: Study, predicted: LabelMap | None) -> list[PaneOverlay]:
    """The expert's mask and the predicted one, as far as they exist. No voxel is read."""
    overlays = []
    expert = study.mask("expert")
    if expert is not None and expert.scheme in SCHEMES:
        url = mask_url(study.id, "expert")
        entries = entries_of(expert.scheme)
        overlays.append(PaneOverlay("expert", url, entries, f"expert mask, {expert.scheme}"))
    if predicted is not None:
        # The weights stand in the address, so that a mask of other weights is another address.
        url = f"{mask_url(study.id, 'predicted')}?by={quote(predicted.source, safe='')}"
        overlays.append(
            PaneOverlay("predicted", url, entries_of(predicted.scheme), predicted.source)
        )
    return overlays


def mask_url(study_id: str, kind: str) -> str:
    """Where a mask is fetched from, relative to the page."""
    return f"masks/{quote(study_id, safe='')}/{kind}.nii"


def findings_url(study_id: str) -> str:
    """Where agreement and lesions of a study's masks are fetched from, relative to the page."""
    return f"agreement/{quote(study_id, safe='')}.json"
