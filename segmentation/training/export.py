"""The trained average as the embedded weights: half precision, with what must be known of it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import torch
from safetensors.torch import save_file
from torch import Tensor

from segmentation.weights import EMBEDDED, sha256_of
from segmentation.weights_entry import WeightsEntry, entry_to_json

DEMO = WeightsEntry(
    name=EMBEDDED,
    channels=("FLAIR", "T1c", "T1", "T2"),
    outputs=("TC", "WT", "ET"),
    spacing_mm=(2.0, 2.0, 2.0),
    normalisation="nonzero-z-score",
    roi=(96, 96, 96),
    feature_size=12,
    window_size=4,
    overlap=0.5,
    mirrored=True,
    least_sure=0.8,
    smallest_ml=0.1,
    source="python -m segmentation.train",
    card="assets/demo-swin-unetr/README.md",
    note="Demonstration only: trained on synthetic tumors and four real studies",
)
"""The embedded network: 3.9 million parameters on a 2 mm grid."""


def export(average: dict[str, Tensor], folder: Path) -> Path:
    """Write model.safetensors and model.json; both replace what was there."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "model.safetensors"
    halved = {
        key: value.half().contiguous() if value.is_floating_point() else value.contiguous()
        for key, value in average.items()
    }
    if not all(bool(torch.isfinite(value).all()) for value in halved.values()):
        raise ValueError("the averaged weights are not finite")
    partial = folder / "model.safetensors.partial"
    save_file(halved, partial)
    partial.chmod(0o644)
    partial.replace(file)
    described = replace(DEMO, sha256=sha256_of(file))
    (folder / "model.json").write_text(entry_to_json(described), encoding="utf-8")
    return file
