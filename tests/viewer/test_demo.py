import gzip
import json
from pathlib import Path

import nibabel as nib
import numpy as np
import pytest

from viewer import demo
from viewer.demo_recipes import DEMO_STUDIES
from viewer.errors import UnwritableFolder
from viewer.synthesis import ALL_SEQUENCES
from viewer.synthesis.facts import LesionFacts


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two of the six at 4 mm: the same code, a hundred times faster."""
    folder = tmp_path_factory.mktemp("cache")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(demo, "SPACING_MM", 4.0)
        patch.setattr(demo, "DEMO_STUDIES", DEMO_STUDIES[:2])
        said: list[tuple[float, str]] = []
        ids = demo.demo_studies(folder, lambda share, text: said.append((share, text)))
    assert ids == ["DEMO-0001", "DEMO-0002"]
    shares = [share for share, _ in said]
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    return demo.demo_folder(folder)


def test_every_file_of_a_study_is_there(made: Path) -> None:
    names = {path.name for path in (made / "DEMO-0001").iterdir()}
    images = {f"DEMO-0001_{name}.nii.gz" for name in (*ALL_SEQUENCES, "tumor_segmentation")}
    assert names == images | {"facts.json", "demo-study.json"}
    assert not [path for path in made.iterdir() if path.name.startswith(".")]


def test_images_are_lps_with_both_codes_and_the_tumor_is_on_its_side(made: Path) -> None:
    image = nib.load(made / "DEMO-0001" / "DEMO-0001_tumor_segmentation.nii.gz")
    assert nib.aff2axcodes(image.affine) == ("L", "P", "S")
    assert (int(image.header["qform_code"]), int(image.header["sform_code"])) == (1, 1)
    voxels = np.argwhere(np.asarray(image.dataobj) > 0)
    centre = nib.affines.apply_affine(image.affine, voxels.mean(axis=0))
    facts = LesionFacts.from_json(json.loads((made / "DEMO-0001" / "facts.json").read_text()))
    np.testing.assert_allclose(centre, facts.centre_mm, atol=0.01)
    assert facts.side == "right"
    assert centre[0] > 10.0


def test_the_same_bytes_come_again_and_a_killed_run_is_taken_up(
    made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(demo, "SPACING_MM", 4.0)
    monkeypatch.setattr(demo, "DEMO_STUDIES", DEMO_STUDIES[:2])
    root = demo.demo_folder(tmp_path)
    (root / "DEMO-0001").mkdir(parents=True)  # killed before its marker was written
    (root / "DEMO-0001" / "DEMO-0001_T1.nii.gz").write_bytes(b"half")
    demo.demo_studies(tmp_path, lambda share, text: None)
    for path in (made / "DEMO-0001").iterdir():
        assert path.read_bytes() == (root / "DEMO-0001" / path.name).read_bytes(), path.name


def test_what_is_there_is_not_made_again(made: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(demo, "DEMO_STUDIES", DEMO_STUDIES[:2])
    monkeypatch.setattr(demo, "load_anatomy", None)
    assert demo.demo_studies(made.parent, lambda share, text: None) == ["DEMO-0001", "DEMO-0002"]


def test_gzip_headers_hold_no_time(made: Path) -> None:
    packed = (made / "DEMO-0001" / "DEMO-0001_FLAIR.nii.gz").read_bytes()
    assert packed[4:8] == b"\0\0\0\0"
    assert len(gzip.decompress(packed)) > 352


def test_the_cache_folder_can_be_chosen(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(demo.CACHE_VARIABLE, str(tmp_path))
    assert demo.cache_folder() == tmp_path


def test_a_cache_that_cannot_be_written_to_is_one_sentence(tmp_path: Path) -> None:
    place = tmp_path / "cache"
    place.write_text("a file where the folder should be")
    with pytest.raises(UnwritableFolder, match=r"Not a directory; .* MRI_VQA_CACHE"):
        demo.demo_studies(place, lambda share, text: None)
