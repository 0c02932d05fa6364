"""Masks for the browser: canonical labels, so that a colour means one tissue everywhere."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import replace

from fastapi import APIRouter, Request, Response

from segmentation.regions import canonical_labels
from segmentation.store import MaskStore
from viewer.arrays import LabelMap
from viewer.copies import label_copy
from viewer.delivery import CompressedCopies, deliver
from viewer.errors import UserError
from viewer.routes import refused
from viewer.study import Study


def mask_routes(find_study: Callable[[str], Study], masks: Callable[[], MaskStore]) -> APIRouter:
    """GET /masks/{study}/{expert or predicted}.nii, uint8 with canonical values.

    404 for what there is none of, 422 with the reason for a mask that is refused.
    """
    router = APIRouter()
    copies = CompressedCopies()

    @router.get("/masks/{study_id:path}/{kind}.nii")
    def mask(study_id: str, kind: str, request: Request) -> Response:
        try:
            study = find_study(study_id)
        except UserError as error:
            return refused(404, str(error))
        try:
            labels = _mask_of(study, kind, masks())
            if labels is None:
                return refused(404, f"{study.id} has no {kind} mask; make one with Segment.")
            tag = _tag(labels)
            return deliver(request, tag, copies, lambda: _canonical_copy(labels))
        except UserError as error:
            return refused(422, str(error))

    return router


def _mask_of(study: Study, kind: str, masks: MaskStore) -> LabelMap | None:
    readers = {"expert": masks.expert, "predicted": masks.predicted}
    return readers[kind](study) if kind in readers else None


def _tag(labels: LabelMap) -> str:
    """A strong ETag of what the mask says, wherever it lies on the disk."""
    digest = hashlib.sha256(labels.array.tobytes())
    digest.update(repr((labels.scheme, labels.affine.tolist())).encode())
    return f'"{digest.hexdigest()[:32]}"'


def _canonical_copy(labels: LabelMap) -> bytes:
    return label_copy(replace(labels, array=canonical_labels(labels)))
