from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from inference.picture_files import keep_pictures, render
from inference.pictures import PictureSettings
from inference.representations import REPRESENTATIONS, represent
from inference.study_views import view_of_arrays
from tests.inference.studies import labelmap, volumes


@pytest.mark.parametrize("name", REPRESENTATIONS)
def test_the_files_hold_the_very_pixels_and_the_manifest_says_what_they_are(
    tmp_path: Path, name: str
) -> None:
    pictures = represent(name, view_of_arrays("S-1", volumes(), labelmap()), PictureSettings())
    manifest = json.loads(json.dumps(render("S-1", name, "radiological", pictures, tmp_path)))
    assert set(manifest) == {"case", "representation", "convention", "pictures"}
    assert len(manifest["pictures"]) == len(pictures) == len(list(tmp_path.iterdir()))
    for entry, picture in zip(manifest["pictures"], pictures, strict=True):
        with Image.open(entry["file"]) as image:
            np.testing.assert_array_equal(np.asarray(image), picture.pixels)
        assert entry["sha256"] == picture.sha256
        assert (entry["width"], entry["height"]) == (picture.width, picture.height)
        assert (entry["caption"], entry["index"]) == (picture.caption, picture.index)
        assert (entry["sequence"], entry["plane"]) == (picture.sequence, picture.plane)
        assert entry["window"] == (None if picture.window is None else list(picture.window))


def test_kept_pictures_are_found_by_their_hash(tmp_path: Path) -> None:
    view = view_of_arrays("S-1", volumes(), labelmap())
    pictures = represent("multi-slice", view, PictureSettings())
    keep_pictures(tmp_path, pictures)
    keep_pictures(tmp_path, pictures)
    assert {path.stem for path in tmp_path.iterdir()} == {p.sha256 for p in pictures}
    for picture in pictures:
        with Image.open(tmp_path / f"{picture.sha256}.png") as image:
            np.testing.assert_array_equal(np.asarray(image), picture.pixels)
