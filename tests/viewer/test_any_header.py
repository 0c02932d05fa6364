"""Any header at all is read or refused in one sentence, and says where its voxels lie."""

from __future__ import annotations

import tempfile
from pathlib import Path

import nibabel as nib
import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from tests.viewer.images import affine, distinct
from viewer.errors import UnreadableFile
from viewer.grids import nearest_slice
from viewer.headers import read_header
from viewer.labelmap import read_labelmap
from viewer.planes import PLANES
from viewer.storage import MAX_VOXELS
from viewer.study import MaskFile, SequenceFile
from viewer.volume import read_volume
from viewer.voxels import canonical_grid

GOOD = nib.Nifti1Image(distinct(), affine()).to_bytes()
CHANGES = st.lists(st.tuples(st.integers(0, 351), st.binary(min_size=1, max_size=8)), max_size=6)


@given(CHANGES)
@settings(deadline=None, max_examples=200)
def test_a_changed_header_is_read_or_refused(changes: list[tuple[int, bytes]]) -> None:
    content = bytearray(GOOD)
    for start, value in changes:
        content[start : start + len(value)] = value
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "x.nii"
        path.write_bytes(content)
        try:
            header = read_header(path)
        except UnreadableFile as error:
            assert "x.nii" in str(error) and "\n" not in str(error)
            return
        assert np.prod(header.shape[:3]) <= MAX_VOXELS
        assert np.isfinite(header.affine).all()
        for read in (
            lambda: read_volume(SequenceFile("T1", path, (1, 1, 1), (1.0, 1.0, 1.0))),
            lambda: read_labelmap(MaskFile("expert", path, "brats-2021")),
        ):
            try:
                read()
            except UnreadableFile as error:
                assert "x.nii" in str(error)


NUMBERS = st.floats(-1e4, 1e4, allow_nan=False)


@given(arrays(np.float64, (3, 4), elements=NUMBERS), st.tuples(*[st.integers(1, 300)] * 3),
       st.tuples(*[st.floats(allow_nan=False, allow_infinity=False)] * 3))  # fmt: skip
@settings(deadline=None)
def test_a_point_always_has_a_slice(
    rows: np.ndarray, shape: tuple[int, int, int], mm: tuple[float, float, float]
) -> None:
    matrix = np.vstack([rows, [0, 0, 0, 1]])
    spacing = np.sqrt((matrix[:3, :3] ** 2).sum(axis=0))
    if not (spacing > 1e-3).all() or abs(np.linalg.det(matrix[:3, :3] / spacing)) < 1e-2:
        return  # refused when it is read
    turned, sizes = canonical_grid(matrix, shape)
    assert sorted(sizes) == sorted(shape)
    with np.errstate(over="ignore", invalid="ignore"):
        for plane in PLANES.values():
            assert 0 <= nearest_slice(turned, sizes, plane, mm) < sizes[plane.through]
