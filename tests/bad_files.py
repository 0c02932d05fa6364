"""A row of what goes wrong, and the rows about studies: their files and their folders.

See `tests.bad_inputs`, which has the other rows.
"""

from __future__ import annotations

import gzip
import os
import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import nibabel as nib
import numpy as np

from tests.viewer.images import affine, distinct, save

Made = Callable[[Path], list[str]]
GOOD = "good"
QUESTION = {"case": GOOD, "question": "Where?", "options": ["Left", "Right"], "answer": "Left"}


@dataclass(frozen=True)
class Bad:
    """A row. `says` is a regular expression of the sentence; `environment` is set for the run."""

    kind: str
    name: str
    made: Made
    says: str
    works: str
    environment: Mapping[str, str] = field(default_factory=dict)


def good_study(place: Path) -> Path:
    """A study of four sequences beside which the bad input lies; the data folder."""
    for name in ("t1", "t1c", "t2", "flair"):
        save(place / "data" / GOOD / f"{name}.nii.gz")
    return place / "data"


# ---- files of a study

LISTED = "the other sequences of the study"


def _image(content: Callable[[], bytes], name: str = "dwi.nii") -> Made:
    def made(place: Path) -> list[str]:
        (place / "data" / GOOD / name).write_bytes(content())
        return ["cases"]

    return made


def _nifti(**fields: object) -> Callable[[], bytes]:
    """A small NIfTI-1 file; `at_N=bytes` overwrites its bytes from N on."""

    def content() -> bytes:
        held = bytearray(nib.Nifti1Image(distinct(), affine()).to_bytes())
        for place, value in fields.items():
            start = int(place.removeprefix("at_"))
            assert isinstance(value, bytes)
            held[start : start + len(value)] = value
        return bytes(held)

    return content


def _shorts(*values: int) -> bytes:
    return struct.pack(f"<{len(values)}h", *values)


SIGNALLING_NAN = bytes.fromhex("0000a07f")
"""A float32 that warns as soon as it is converted."""


def _floats(*values: float) -> bytes:
    return struct.pack(f"<{len(values)}f", *values)


def _packed(content: Callable[[], bytes]) -> Callable[[], bytes]:
    return lambda: gzip.compress(content(), 1)


def _saved(array: np.ndarray, matrix: np.ndarray | None = None) -> Callable[[], bytes]:
    return lambda: nib.Nifti1Image(array, affine() if matrix is None else matrix).to_bytes()


def _sparse(place: Path) -> list[str]:
    path = place / "data" / GOOD / "dwi.nii"
    path.write_bytes(_nifti(at_42=_shorts(32767, 32767, 32767))())
    with path.open("r+b") as file:
        file.truncate(2**40)
    return ["cases"]


def _pipe(place: Path) -> list[str]:
    os.mkfifo(place / "data" / GOOD / "dwi.nii.gz")
    return ["cases"]


def _folder_called_image(place: Path) -> list[str]:
    (place / "data" / GOOD / "dwi.hdr").symlink_to(place / "data")
    return ["cases", "--data", str(place / "nowhere")]


def _linked(target: str) -> Made:
    def made(place: Path) -> list[str]:
        (place / "data" / GOOD / "dwi.nii").symlink_to(target)
        return ["cases"]

    return made


def _forbidden_name(place: Path) -> list[str]:
    name = os.fsencode(place / "data" / GOOD) + b"/dwi_\xff\xfe.nii"
    Path(os.fsdecode(name)).write_bytes(_nifti()())
    return ["cases"]


FILES = (
    Bad("file", "empty", _image(bytes), "got an empty file", LISTED),
    Bad("file", "one byte", _image(lambda: b"\0"), "no known image format", LISTED),
    Bad("file", "text", _image(lambda: b"not an image\n" * 90), "no known image format", LISTED),
    Bad("file", "web page", _image(lambda: b"<html>404</html>"), "a web page", LISTED),
    Bad("file", "zip", _image(lambda: b"PK\x03\x04" + bytes(600)), "a zip archive", LISTED),
    Bad("file", "Git LFS pointer", _image(lambda: b"version https://git-lfs.github.com/spec/v1\n"),
        "git lfs pull", LISTED),
    Bad("file", "git-annex pointer", _image(lambda: b"/annex/objects/MD5-s1--x\n"),
        "git annex get", LISTED),
    Bad("file", "DICOM", _image(lambda: bytes(128) + b"DICM" + bytes(500)), "a DICOM file", LISTED),
    Bad("file", "MINC", _image(lambda: b"CDF\x01" + bytes(600)), "a MINC image", LISTED),
    Bad("file", "HDF5", _image(lambda: b"\x89HDF\r\n\x1a\n" + bytes(600)), "HDF5", LISTED),
    Bad("file", "NRRD", _image(lambda: b"NRRD0004\n" + bytes(600)), "an NRRD image", LISTED),
    Bad("file", "MetaImage", _image(lambda: b"ObjectType = Image\n" * 40), "a MetaImage", LISTED),
    Bad("file", "half a gzip", _image(lambda: _packed(_nifti())()[:90], "dwi.nii.gz"),
        "a truncated gzip file|broken data", LISTED),
    Bad("file", "broken gzip", _image(lambda: b"\x1f\x8b\x08\0" + b"\xff" * 99, "dwi.nii.gz"),
        "broken data|truncated", LISTED),
    Bad("file", "gzip of nothing", _image(lambda: gzip.compress(b""), "dwi.nii.gz"),
        "got an empty file", LISTED),
    Bad("file", "gzip of gzip", _image(_packed(_packed(_nifti())), "dwi.nii.gz"),
        "no known image format", LISTED),
    Bad("file", "header alone", _image(lambda: _nifti()()[:348]), "voxels inside the file",
        LISTED),
    Bad("file", "half the voxels", _image(lambda: _nifti()()[:700]), "truncated, the header claims",
        LISTED),
    Bad("file", "terabytes claimed", _image(_nifti(at_42=_shorts(32767, 32767, 32767))),
        "claims 35181150961663 voxels", LISTED),
    Bad("file", "terabytes claimed, compressed",
        _image(_packed(_nifti(at_42=_shorts(32767, 32767, 32767))), "dwi.nii.gz"),
        "claims 35181150961663 voxels", LISTED),
    Bad("file", "terabytes held, sparse", _sparse, "claims 35181150961663 voxels", LISTED),
    Bad("file", "bomb of zeros", _image(
        lambda: gzip.compress(_nifti(at_42=_shorts(2000, 2000, 2000))() + bytes(2**26), 1),
        "dwi.nii.gz"), "claims 8000000000 voxels", LISTED),
    Bad("file", "4-D bomb", _image(_nifti(at_40=_shorts(7, 9, 9, 9, 32767, 32767, 32767, 32767))),
        "truncated, the header claims", LISTED),
    Bad("file", "negative sizes", _image(_nifti(at_42=_shorts(-7, 9, 11))), "broken header", LISTED),
    Bad("file", "no sizes", _image(_nifti(at_42=_shorts(0, 0, 0))), "broken header", LISTED),
    Bad("file", "rank 0", _image(_nifti(at_40=_shorts(0))), "broken header", LISTED),
    Bad("file", "rank 99", _image(_nifti(at_40=_shorts(99))), "broken header", LISTED),
    Bad("file", "negative rank", _image(_nifti(at_40=_shorts(-3))), "broken header", LISTED),
    Bad("file", "2-D", _image(_nifti(at_40=_shorts(2))), "2-D data", LISTED),
    Bad("file", "true 4-D", _image(_saved(np.ones((7, 9, 11, 3), np.int16))),
        "4-D file with 3 volumes", LISTED),
    Bad("file", "voxels at infinity", _image(_nifti(at_108=_floats(np.inf))), "at byte inf", LISTED),
    Bad("file", "voxels at no place", _image(_nifti(at_108=_floats(np.nan))), "at byte nan", LISTED),
    Bad("file", "voxels far behind", _image(_nifti(at_108=_floats(1e18))), "at byte 1e", LISTED),
    Bad("file", "voxels far inside a bomb", _image(
        lambda: gzip.compress(_nifti(at_108=_floats(float(2**27)))() + bytes(2**20), 1)
        + bytes(2**20), "dwi.nii.gz"), "at byte 1.34218e", LISTED),
    Bad("file", "type 9999", _image(_nifti(at_70=_shorts(9999))), "data type of the NIfTI", LISTED),
    Bad("file", "type 0", _image(_nifti(at_70=_shorts(0))), "one real number a voxel|data type",
        LISTED),
    Bad("file", "complex voxels", _image(_saved(np.ones((7, 9, 11), np.complex64))),
        "one real number a voxel", LISTED),
    Bad("file", "colour", _image(_saved(np.zeros((7, 9, 11), [("R", "u1"), ("G", "u1"), ("B", "u1")]))),
        "one real number a voxel", LISTED),
    Bad("file", "NaN affine", _image(_nifti(at_280=_floats(np.nan))), "singular or non-finite", LISTED),
    Bad("file", "infinite affine", _image(_nifti(at_280=_floats(np.inf))),
        "singular or non-finite", LISTED),
    Bad("file", "signalling NaN in the affine", _image(_nifti(at_280=SIGNALLING_NAN)), "singular or non-finite", LISTED),
    Bad("file", "flat affine", _image(_nifti(at_312=_floats(0, 0, 0, 0))), "singular or non-finite",
        LISTED),
    Bad("file", "NaN scale", _image(_nifti(at_112=_floats(2.0, np.nan))), "scale slope", LISTED),
    Bad("file", "no mark", _image(_nifti(at_344=b"xx\0\0")), "without its mark", LISTED),
    Bad("file", "header without voxels", _image(_nifti(at_344=b"ni1\0"), "dwi.hdr"),
        "header without its voxels", LISTED),
    Bad("file", "CIFTI", _image(_nifti(at_68=_shorts(3001))), "a CIFTI file", LISTED),
    Bad("file", "link to nowhere", _linked("/nowhere/x.nii"), "nothing there", LISTED),
    Bad("file", "link to itself", _linked("dwi.nii"), "symbolic link|nothing there", LISTED),
    Bad("file", "link to a device", _linked("/dev/zero"), "a pipe or a device", LISTED),
    Bad("file", "pipe", _pipe, "a pipe or a device", LISTED),
    Bad("file", "name of no encoding", _forbidden_name, "expected a name in UTF-8", LISTED),
)  # fmt: skip

# ---- folders


def _data(*parts: str) -> Made:
    return lambda place: ["cases", "--data", str(place.joinpath(*parts))]


def _deep(place: Path) -> list[str]:
    """Folders inside each other."""
    here = os.open(place / "data", os.O_RDONLY)
    for _ in range(350):
        os.mkdir("d", dir_fd=here)
        inner = os.open("d", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = inner
    os.close(here)
    return ["cases", "--data", str(place / "nowhere")]


def _loop(place: Path) -> list[str]:
    (place / "data" / "again").symlink_to(place / "data")
    return ["cases", "--data", str(place / "nowhere")]


def _a_file(place: Path) -> list[str]:
    (place / "x.txt").write_text("x")
    return ["cases", "--data", str(place / "x.txt")]


ALL = "the good study beside it"
FOLDERS = (
    Bad("folder", "missing", _data("nowhere"), "nothing there", ALL),
    Bad("folder", "a file", _a_file, "not a directory", ALL),
    Bad("folder", "name too long", _data("a" * 300), "name too long", ALL),
    Bad("folder", "NUL in its name", _data("a\0b"), "null byte", ALL),
    Bad("folder", "inside each other without end", _deep, "nothing there|too long", ALL),
    Bad("folder", "a link to itself", _loop, "nothing there", ALL),
    Bad("folder", "a link that loops and a missing one", _folder_called_image, "nothing there", ALL),
)  # fmt: skip
