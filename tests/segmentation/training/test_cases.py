"""Real studies become specimens by the same way that prediction reads them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from segmentation.training.cases import specimen_of, studies_with_masks
from segmentation.training.export import DEMO
from tests.segmentation.studies import write_study
from viewer.errors import UnknownStudy


@pytest.mark.cases
def test_a_real_study_keeps_its_volumes(cases_dir: Path) -> None:
    (study,) = studies_with_masks([cases_dir / "small"], [])
    specimen = specimen_of(study, DEMO)
    millilitres = [(specimen.labels == value).sum() * 0.008 for value in (1, 2, 4)]
    np.testing.assert_allclose(millilitres, (93.30, 7.41, 89.55), rtol=0.06)
    assert all(60 < side < 100 for side in specimen.shape)
    np.testing.assert_allclose(specimen.image[:, specimen.brain].mean(axis=1), 1.0, rtol=1e-3)


def test_a_folder_without_masks_is_refused(tmp_path: Path) -> None:
    write_study(tmp_path / "A")
    with pytest.raises(UnknownStudy, match="expert's mask"):
        studies_with_masks([tmp_path], [])


def test_a_study_without_a_mask_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnknownStudy, match="to train on"):
        specimen_of(write_study(tmp_path / "A"), DEMO)
