"""A file is what its bytes say, not what its name says."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from tests.viewer.images import save
from viewer.errors import UnreadableFile
from viewer.formats import HEADER_BYTES, SIGNATURES, Signature, read_head, refuse_foreign


@pytest.mark.parametrize("signature", SIGNATURES, ids=lambda s: s.what)
def test_foreign_formats_are_named(signature: Signature) -> None:
    head = (bytes(signature.at) + signature.magic).ljust(HEADER_BYTES, b" ")
    if signature.at:
        head = b" " * signature.at + head[signature.at :]
    with pytest.raises(UnreadableFile, match=r"^scan\.nii: expected a NIfTI image, got") as said:
        refuse_foreign(Path("scan.nii"), head)
    assert signature.what in str(said.value) and signature.remedy in str(said.value)


def test_the_head_is_the_same_packed_or_not(tmp_path: Path) -> None:
    plain = read_head(save(tmp_path / "x.nii"))
    packed = tmp_path / "y.nii.gz"
    packed.write_bytes(gzip.compress((tmp_path / "x.nii").read_bytes()))
    assert read_head(packed).head == plain.head and len(plain.head) == HEADER_BYTES
    assert (read_head(packed).compressed, plain.compressed) == (True, False)


def test_a_head_may_span_gzip_members(tmp_path: Path) -> None:
    content = save(tmp_path / "x.nii").read_bytes()
    members = gzip.compress(content[:100]) + gzip.compress(content[100:])
    (tmp_path / "x.nii.gz").write_bytes(members)
    assert read_head(tmp_path / "x.nii.gz").head == content[:HEADER_BYTES]


def test_a_link_to_nothing_is_said(tmp_path: Path) -> None:
    (tmp_path / "x.nii.gz").symlink_to(tmp_path / "gone")
    with pytest.raises(UnreadableFile, match=r"x\.nii\.gz: .*nothing there"):
        read_head(tmp_path / "x.nii.gz")


def test_broken_gzip_is_said(tmp_path: Path) -> None:
    (tmp_path / "x.nii.gz").write_bytes(b"\x1f\x8b" + b"\xff" * 50)
    with pytest.raises(UnreadableFile, match="broken data"):
        read_head(tmp_path / "x.nii.gz")
