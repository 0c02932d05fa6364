"""Small studies on the disk, and networks that are simple enough to know their answer."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nibabel as nib
import numpy as np
import torch
from nibabel.orientations import apply_orientation, axcodes2ornt, inv_ornt_aff, ornt_transform
from numpy.typing import NDArray

from segmentation.weights import Weights
from segmentation.weights_entry import WeightsEntry
from viewer.arrays import LabelMap, spacing_of
from viewer.study import MaskFile, SequenceFile, Study

SHAPE = (40, 46, 36)
LEVELS = {"FLAIR": 100.0, "T1c": 200.0, "T1": 300.0, "T2": 400.0}
ORIGIN = (-50.0, -120.0, 7.0)


def affine(spacing: float = 1.0) -> NDArray[np.float64]:
    matrix = np.diag([spacing, spacing, spacing, 1.0])
    matrix[:3, 3] = ORIGIN
    return matrix


def brain() -> NDArray[np.bool_]:
    """An ellipsoid that touches no border."""
    i, j, k = np.ogrid[: SHAPE[0], : SHAPE[1], : SHAPE[2]]
    return ((i - 19) / 16) ** 2 + ((j - 22) / 19) ** 2 + ((k - 17) / 14) ** 2 < 1


def lump() -> NDArray[np.bool_]:
    """A cube to the right, front and top of the brain's centre."""
    mask = np.zeros(SHAPE, bool)
    mask[22:30, 24:30, 18:26] = True
    return mask


def stored(array: NDArray[Any], order: str) -> tuple[NDArray[Any], NDArray[np.float64]]:
    """A RAS+ array and its affine with the axes in another order; the world stays."""
    turn = ornt_transform(axcodes2ornt("RAS"), axcodes2ornt(tuple(order)))
    turned = np.asarray(apply_orientation(array, turn))
    return turned, affine() @ inv_ornt_aff(turn, array.shape)


def write_study(
    folder: Path, *, order: str = "RAS", names: tuple[str, ...] = tuple(LEVELS), seed: int = 0
) -> Study:
    """A study whose sequences are noisy levels in the brain, 500 in the lump on FLAIR."""
    folder.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(seed)
    files = []
    for name in names:
        array = rng.normal(LEVELS[name], 5.0, SHAPE).astype(np.float32)
        if name == "FLAIR":
            array[lump()] = 500.0
        files.append(write_sequence(folder / f"{name}.nii.gz", name, array * brain(), order))
    return Study(folder.name, "plain", folder, tuple(files))


def write_sequence(
    path: Path, name: str, array: NDArray[Any], order: str = "RAS", codes: tuple[int, int] = (1, 1)
) -> SequenceFile:
    """`codes` are those of sform and qform."""
    turned, matrix = stored(array, order)
    image = nib.Nifti1Image(turned, matrix)
    image.set_sform(matrix, codes[0])
    image.set_qform(matrix, codes[1])
    nib.save(image, path)
    i, j, k = turned.shape
    return SequenceFile(name, path, (i, j, k), spacing_of(matrix))


def write_labels(folder: Path, labels: NDArray[Any], scheme: str = "brats-2021") -> MaskFile:
    path = folder / "mask.nii.gz"
    nib.save(nib.Nifti1Image(labels.astype(np.uint8), affine()), path)
    return MaskFile("expert", path, scheme)


def label_map(array: NDArray[Any], scheme: str = "brats-2021", spacing: float = 1.0) -> LabelMap:
    return LabelMap(array.astype(np.uint8), affine(spacing), scheme, "mask.nii.gz")


ENTRY = WeightsEntry(
    name="fake",
    channels=("FLAIR", "T1c", "T1", "T2"),
    outputs=("TC", "WT", "ET"),
    spacing_mm=(1.0, 1.0, 1.0),
    normalisation="nonzero-z-score",
    roi=(32, 32, 32),
    overlap=0.25,
)


def weights(entry: WeightsEntry = ENTRY) -> Weights:
    return Weights(entry, Path("fake.safetensors"), "0" * 64)


class BrightFlair(torch.nn.Module):
    """Whole tumor and core where the first channel is high; nothing enhances."""

    def forward(self, window: torch.Tensor) -> torch.Tensor:
        bright = (window[:, :1] - 2.0) * 20.0
        return torch.cat([bright, bright, torch.full_like(bright, -20.0)], dim=1)
