"""Masks for the browser: canonical labels, so that a colour means one tissue everywhere.

Three addresses, relative to the page, `STUDY` quoted with no safe characters.
Each sends an ETag and answers 304 to a browser that has it; 404 with
`{"detail": sentence}` for what there is none of, 422 for a mask that is refused.

`GET masks/STUDY/KIND.nii`, KIND `expert` or `predicted`: uint8 NIfTI, RAS+, canonical values.

`GET agreement/STUDY/REGION.nii`, REGION `WT`, `TC` or `ET`: uint8 NIfTI, RAS+, on the grid of
the expert's mask: 1 both, 2 only expert, 3 only predicted. 404 unless both masks exist.

`GET agreement/STUDY.json`, as soon as one of the two masks exists:

    {"study": "BraTS2021_01477",
     "sources": {"expert": "…_seg.nii.gz" or null, "predicted": "demo-swin-unetr …" or null},
     "grid": {"shape": [240, 240, 155], "affine": [[…4], […4], […4], […4]]},
     "entries": [{"value": 1, "name": "both", "color": "#009e73"}, …],   names and colours of a map
     "rule": "A lesion is …", "smallest_ml": 0.1,                        to show as it is
     "regions": {"WT": {
        "title": "whole tumor",
        "url": "agreement/…/WT.nii" or null,       null unless both masks exist, like
        "dice": 0.907 or null,                     the two numbers; dice is null too when neither
        "hausdorff95_mm": 5.2 or null,             mask has the region, this when either lacks it
        "ml": {"expert": 195.4, "predicted": 180.1, "both": 170.0},      each may be null: no mask
        "lesions": {"expert": [LESION, …] or null, "predicted": [LESION, …] or null}
     }, "TC": …, "ET": …}}

    LESION, the largest first:
    {"ml": 181.2, "common_ml": 170.0 or null,      what the other mask marks of it too
     "centre_mm": [x, y, z],                       centroid, world mm, RAS+, as the panes' `mm`
     "reach": {"axial": {"first": 40, "last": 90, "largest": 68, "extent_mm": 51.0},
               "coronal": …, "sagittal": …}}       voxel indexes of `grid` along k, j, i

`grid` is the expert's where there is an expert's mask, else the predicted mask's.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from fastapi import APIRouter, Request, Response

from segmentation.agreement import agreement_document, agreement_map, on_grid_of
from segmentation.regions import canonical_labels, region_named
from segmentation.store import MaskStore
from viewer.arrays import LabelMap
from viewer.copies import label_copy
from viewer.delivery import CompressedCopies, deliver
from viewer.errors import UnknownName, UserError
from viewer.routes import refused
from viewer.study import Study

VERSION = 1
"""Raised when the bytes of an agreement change, so that no browser keeps an old one."""

KINDS = ("expert", "predicted")


class NoMask(UserError):
    """There is no such mask of the study yet."""


def mask_routes(find_study: Callable[[str], Study], masks: Callable[[], MaskStore]) -> APIRouter:
    """The routes above, for the studies that `find_study` knows."""
    router = APIRouter()
    copies = CompressedCopies()

    def answer(study_id: str, send: Callable[[Study], Response]) -> Response:
        try:
            study = find_study(study_id)
        except UserError as error:
            return refused(404, str(error))
        try:
            return send(study)
        except (NoMask, UnknownName) as error:
            return refused(404, str(error))
        except UserError as error:
            return refused(422, str(error))

    @router.get("/masks/{study_id:path}/{kind}.nii")
    def mask(study_id: str, kind: str, request: Request) -> Response:
        def send(study: Study) -> Response:
            labels = _mask_of(study, kind, masks())
            return deliver(request, _tag(labels), copies, lambda: _canonical_copy(labels))

        return answer(study_id, send)

    @router.get("/agreement/{study_id:path}/{region}.nii")
    def agreement_of_region(study_id: str, region: str, request: Request) -> Response:
        def send(study: Study) -> Response:
            name = region_named(region).name
            expert, predicted = (_mask_of(study, kind, masks()) for kind in KINDS)
            tag = _tag(expert, predicted, more=f"{VERSION} {name}")
            return deliver(request, tag, copies, lambda: _agreement_copy(expert, predicted, name))

        return answer(study_id, send)

    @router.get("/agreement/{study_id:path}.json")
    def agreement_numbers(study_id: str, request: Request) -> Response:
        def send(study: Study) -> Response:
            expert, predicted = masks().expert(study), masks().predicted(study)
            if expert is None and predicted is None:
                raise NoMask(f"{study.id} has no mask; make one with Segment.")
            tag = _tag(expert, predicted, more=f"{VERSION} {study.id}")
            make = partial(_document, study.id, expert, predicted)
            return deliver(request, tag, copies, make, "application/json")

        return answer(study_id, send)

    return router


def _mask_of(study: Study, kind: str, masks: MaskStore) -> LabelMap:
    """The mask of that kind; `NoMask` where there is none."""
    readers = {"expert": masks.expert, "predicted": masks.predicted}
    labels = readers[kind](study) if kind in readers else None
    if labels is None:
        raise NoMask(f"{study.id} has no {kind} mask; make one with Segment.")
    return labels


def _tag(*masks: LabelMap | None, more: str = "") -> str:
    """A strong ETag of what the masks say, wherever they lie on the disk."""
    digest = hashlib.sha256(more.encode())
    for labels in masks:
        if labels is None:
            digest.update(b"none")
            continue
        digest.update(labels.array.tobytes())
        digest.update(repr((labels.scheme, labels.source, labels.affine.tolist())).encode())
    return f'"{digest.hexdigest()[:32]}"'


def _canonical_copy(labels: LabelMap) -> bytes:
    return label_copy(replace(labels, array=canonical_labels(labels)))


def _agreement_copy(expert: LabelMap, predicted: LabelMap, region: str) -> bytes:
    return label_copy(agreement_map(expert, on_grid_of(expert, predicted), region))


def _document(study_id: str, expert: LabelMap | None, predicted: LabelMap | None) -> bytes:
    document = agreement_document(study_id, expert, predicted)
    return json.dumps(document, ensure_ascii=False).encode()
