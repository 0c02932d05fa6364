"""The small pictures of the list: the right slice, the right side, made once."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from fastapi import FastAPI
from PIL import Image
from starlette.testclient import TestClient

from tests.viewer.images import affine, mask, save, sequence
from viewer.errors import UnknownStudy, UnreadableFile
from viewer.study import Study
from viewer.thumbnail_routes import thumbnail_routes
from viewer.thumbnails import SIDE, Thumbnails, content_key, thumbnail

SHAPE = (40, 40, 20)


def bright_right(value: float = 200.0) -> np.ndarray:
    """A brain of 50 whose right half is brighter, with a gradient so that windows differ."""
    array = np.zeros(SHAPE, np.float32)
    array[4:36, 4:36, 2:18] = 50
    array[20:36, 4:36, 2:18] = value
    return array


def labels_at(k: int) -> np.ndarray:
    array = np.zeros(SHAPE, np.uint8)
    array[10:20, 10:20, k] = 1
    array[12:14, 12:14, 3] = 1
    return array


def study_of(folder: Path, order: str = "RAS", name: str = "FLAIR") -> Study:
    matrix = affine((1.0, 1.0, 1.0), (-20.0, -20.0, -10.0))
    image = save(folder / f"{order}.nii.gz", bright_right(), matrix, order)
    return Study("S", "plain", folder, (sequence(image, name),))


def pixels(png: bytes) -> np.ndarray:
    return np.asarray(Image.open(BytesIO(png)))


@pytest.mark.parametrize("order", ["RAS", "LPS", "LAS", "PIR", "SLA"])
def test_the_patients_right_is_on_the_images_left(tmp_path: Path, order: str) -> None:
    picture = pixels(thumbnail(study_of(tmp_path, order)))
    assert picture.shape == (SIDE, SIDE)
    row = picture[SIDE // 4]  # above the letter
    assert row[SIDE // 4] > row[3 * SIDE // 4] + 50


def test_the_side_is_lettered(tmp_path: Path) -> None:
    picture = pixels(thumbnail(study_of(tmp_path)))
    letter = picture[SIDE // 2 - 12 : SIDE // 2 + 12, :10]
    assert (letter > 200).any()
    assert not (picture[:, -6:] > 200).any()


def test_the_masks_largest_slice_is_shown(tmp_path: Path) -> None:
    volume = bright_right()
    volume[:, :, 15] *= 0.1  # a slice that is told from the others
    matrix = affine((1.0, 1.0, 1.0), (-20.0, -20.0, -10.0))
    image = save(tmp_path / "flair.nii.gz", volume, matrix)
    drawn = mask(save(tmp_path / "seg.nii.gz", labels_at(15), matrix, "LPS"))
    with_mask = Study("S", "plain", tmp_path, (sequence(image),), (drawn,))
    without = Study("S", "plain", tmp_path, (sequence(image),))
    assert pixels(thumbnail(with_mask)).mean() < pixels(thumbnail(without)).mean() / 2


def test_a_broken_mask_costs_only_the_choice_of_slice(tmp_path: Path) -> None:
    study = study_of(tmp_path)
    broken = tmp_path / "seg.nii"
    broken.write_bytes(b"not an image")
    with_mask = Study("S", "plain", tmp_path, study.sequences, (mask(broken),))
    assert thumbnail(with_mask) == thumbnail(study)


def test_a_picture_is_made_once_for_a_content(tmp_path: Path) -> None:
    kept = Thumbnails(tmp_path / "cache")
    study = study_of(tmp_path)
    first = kept.png(study)
    (file,) = (tmp_path / "cache" / "thumbnails").iterdir()
    file.write_bytes(b"from the disk")
    assert kept.png(study) == b"from the disk"
    key = content_key(study)
    save(study.sequences[0].path, bright_right()[::-1] + 1)
    assert content_key(study) != key
    assert kept.png(study) not in {first, b"from the disk"}


def test_a_sessions_picture_stays_in_its_folder(tmp_path: Path) -> None:
    own = Study("S", "plain", tmp_path, study_of(tmp_path).sequences, session_folder=tmp_path / "s")
    Thumbnails(tmp_path / "cache").png(own)
    assert not (tmp_path / "cache").exists()
    assert len(list((tmp_path / "s" / "thumbnails").iterdir())) == 1


def test_a_disk_that_cannot_be_written_costs_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file where the folder should be")
    assert Thumbnails(tmp_path / "cache" / "no").png(study_of(tmp_path)).startswith(b"\x89PNG")


def test_a_file_that_is_gone_is_told(tmp_path: Path) -> None:
    study = study_of(tmp_path)
    study.sequences[0].path.unlink()
    with pytest.raises(UnreadableFile, match="list the studies again"):
        content_key(study)


def test_only_listed_studies_have_a_picture(tmp_path: Path) -> None:
    study = study_of(tmp_path)

    def find(study_id: str) -> Study:
        if study_id != study.id:
            raise UnknownStudy(f"Expected a listed study, got {study_id!r}; choose one.")
        return study

    app = FastAPI()
    app.include_router(thumbnail_routes(find, Thumbnails(tmp_path / "cache")))
    client = TestClient(app)
    answer = client.get("/thumbnails/S.png")
    assert answer.headers["content-type"] == "image/png"
    tag = answer.headers["etag"]
    assert client.get("/thumbnails/S.png", headers={"if-none-match": tag}).status_code == 304
    assert client.get("/thumbnails/T.png").status_code == 404
    assert client.get("/thumbnails/..%2FS.png").status_code == 404
    study.sequences[0].path.write_bytes(b"<html>")
    refused = client.get("/thumbnails/S.png")
    assert refused.status_code == 422 and "RAS.nii.gz" in refused.json()["detail"]
