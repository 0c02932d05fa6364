"""Published weights that run on a user's machine once they lie there."""

from __future__ import annotations

from segmentation.weights_entry import WeightsEntry

RELEASE = "https://github.com/Project-MONAI/MONAI-extra-test-data/releases/download/0.8.1/"

DICE_IN_NAME = ("8854", "9059", "8981", "8924", "9035")
"""Mean Dice of each fold on its own validation cases, as the file names carry it."""


def _fold(number: int, dice: str) -> WeightsEntry:
    return WeightsEntry(
        name=f"brats21-fold{number}",
        channels=("FLAIR", "T1c", "T1", "T2"),
        outputs=("TC", "WT", "ET"),
        spacing_mm=(1.0, 1.0, 1.0),
        normalisation="nonzero-z-score",
        roi=(128, 128, 128),
        feature_size=48,
        overlap=0.6,
        axes="LPS",
        source=f"{RELEASE}fold{number}_f48_ep300_4gpu_dice0_{dice}.zip",
        card="https://github.com/Project-MONAI/research-contributions/tree/main/SwinUNETR/BRATS21",
        note=f"Swin-UNETR, BraTS 2021, fold {number}; its file name says mean Dice 0.{dice}",
    )


BUNDLE = WeightsEntry(
    name="monai-brats-bundle",
    architecture="seg-resnet",
    channels=("T1c", "T1", "T2", "FLAIR"),
    outputs=("TC", "WT", "ET"),
    spacing_mm=(1.0, 1.0, 1.0),
    normalisation="nonzero-z-score",
    roi=(160, 192, 160),
    feature_size=16,
    source="https://github.com/Project-MONAI/model-zoo/tree/dev/models/brats_mri_segmentation",
    card="https://github.com/Project-MONAI/model-zoo/tree/dev/models/brats_mri_segmentation",
    note="SegResNet of MONAI's brats_mri_segmentation bundle, BraTS 2018; another channel order",
)

PUBLISHED: dict[str, WeightsEntry] = {
    entry.name: entry
    for entry in (*(_fold(n, dice) for n, dice in enumerate(DICE_IN_NAME)), BUNDLE)
}
"""Name -> row. The publisher gives no checksum, so none is compared."""
