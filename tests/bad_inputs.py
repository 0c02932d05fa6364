"""What goes wrong, one row each: what it is, how it is made, what is said, what goes on working.

`made(place)` writes into `place` and returns the arguments of a command. A
row of kind "file" or "folder" lies beside a good study: the command succeeds
and says the sentence of that file; every other row ends with status 2.
"""

from __future__ import annotations

import gzip
import json
import os
import struct
import zipfile
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

# ---- question files

ASK = [
    "ask",
    "--case",
    GOOD,
    "--question",
    "#1",
    "--representation",
    "text-only",
    "--model",
    "fake",
]
STUDIES = "the studies can be listed"


def _questions(content: bytes | str, name: str = "q.csv", *more: str) -> Made:
    def made(place: Path) -> list[str]:
        raw = content.encode() if isinstance(content, str) else content
        (place / name).write_bytes(raw)
        return [*ASK, "--questions", str(place / name), *more]

    return made


def _large(place: Path) -> list[str]:
    with (place / "q.csv").open("wb") as file:
        file.truncate(2**30)
    return [*ASK, "--questions", str(place / "q.csv")]


def _question_pipe(place: Path) -> list[str]:
    os.mkfifo(place / "q.csv")
    return [*ASK, "--questions", str(place / "q.csv")]


def _json(**changes: object) -> str:
    return json.dumps({**QUESTION, **changes})


QUESTIONS = (
    Bad("questions", "missing", lambda p: [*ASK, "--questions", str(p / "no.csv")],
        "No such file", STUDIES),
    Bad("questions", "a folder", lambda p: [*ASK, "--questions", str(p)], "got a folder", STUDIES),
    Bad("questions", "a pipe", _question_pipe, "got a folder, a pipe", STUDIES),
    Bad("questions", "a gigabyte", _large, "at most 128 MiB", STUDIES),
    Bad("questions", "empty", _questions(""), "found no row", STUDIES),
    Bad("questions", "header only", _questions("case,question,answer\n"), "found no row", STUDIES),
    Bad("questions", "other columns", _questions("a,b\n1,2\n"), "Expected the columns", STUDIES),
    Bad("questions", "Latin-1", _questions("case,question,answer\nä".encode("latin-1")),
        "in UTF-8, found byte 0xe4", STUDIES),
    Bad("questions", "UTF-16 without a mark", _questions("case,question".encode("utf-16-le")),
        "NUL bytes", STUDIES),
    Bad("questions", "half a UTF-16", _questions(b"\xff\xfea"), "in UTF-8|UTF-16", STUDIES),
    Bad("questions", "a workbook", _questions(b"PK\x03\x04" + b"\xff" * 99), "in UTF-8", STUDIES),
    Bad("questions", "one endless cell",
        _questions("case,question,answer\ngood," + "x" * 200_000 + ",a"), "field larger", STUDIES),
    Bad("questions", "one endless line", _questions("x" * 3_000_000), "field larger|no row|columns",
        STUDIES),
    Bad("questions", "an open quote",
        _questions('case,question,answer\ngood,"Where?' + "\n" * 200_000), "field larger", STUDIES),
    Bad("questions", "broken JSON", _questions('{"case": ', "q.jsonl"), "line 1 is none", STUDIES),
    Bad("questions", "JSON nested deep", _questions("[" * 100_000, "q.jsonl"), "nested too deep",
        STUDIES),
    Bad("questions", "objects nested deep", _questions('{"a":' * 100_000, "q.jsonl"),
        "nested too deep", STUDIES),
    Bad("questions", "an absurd number", _questions('{"a": ' + "9" * 5000 + "}", "q.jsonl"),
        "line 1 is none", STUDIES),
    Bad("questions", "JSON of numbers", _questions("[1, 2]", "q.json"), "one JSON object a line",
        STUDIES),
    Bad("questions", "no options", _questions(_json(options=[]), "q.jsonl"),
        "a question with options", STUDIES),
    Bad("questions", "one option", _questions(_json(options=["Left"]), "q.jsonl"),
        "a question with options", STUDIES),
    Bad("questions", "27 options", _questions(_json(options=[str(n) for n in range(27)]), "q.jsonl"),
        "at most 26 options", STUDIES),
    Bad("questions", "another study's", _questions(_json(case="elsewhere"), "q.jsonl"),
        "a question about good", STUDIES),
    Bad("questions", "an order that is none", _questions(_json(), "q.jsonl", "--order", "upwards"),
        "Expected the order original", STUDIES),
    Bad("questions", "an order of 5000 digits",
        _questions(_json(), "q.jsonl", "--order", "9" * 5000), "Expected the order", STUDIES),
)  # fmt: skip

# ---- weights of the segmentation

SEGMENT = ["segment", "--case", GOOD, "--out", "mask.nii.gz", "--weights"]


def _weights(content: bytes, beside: object = None, name: str = "w.safetensors") -> Made:
    def made(place: Path) -> list[str]:
        (place / name).write_bytes(content)
        if beside is not None:
            text = beside if isinstance(beside, str) else json.dumps(beside)
            (place / name).with_suffix(".json").write_text(text)
        return [*SEGMENT, str(place / name)]

    return made


ENTRY = {
    "name": "mine", "channels": ["FLAIR", "T1c", "T1", "T2"], "outputs": ["TC", "WT", "ET"],
    "spacing_mm": [1, 1, 1], "normalisation": "nonzero-z-score", "roi": [32, 32, 32],
    "feature_size": 12,
}  # fmt: skip
HUGE_HEADER = struct.pack("<Q", 2**60) + b"{}"
LYING = json.dumps({"w": {"dtype": "F32", "shape": [2**40], "data_offsets": [0, 2**42]}}).encode()
LYING_HEADER = struct.pack("<Q", len(LYING)) + LYING

WEIGHTS = (
    Bad("weights", "no such row", lambda p: [*SEGMENT, "mine"], "Expected weights out of", STUDIES),
    Bad("weights", "no such file", lambda p: [*SEGMENT, str(p / "w.pt")], "no such file", STUDIES),
    Bad("weights", "nothing beside", _weights(b""), "not declared", STUDIES),
    Bad("weights", "broken description", _weights(b"", "{"), "readable description", STUDIES),
    Bad("weights", "description nested deep", _weights(b"", "[" * 100_000), "readable description",
        STUDIES),
    Bad("weights", "description of nothing", _weights(b"", []), "a JSON object", STUDIES),
    Bad("weights", "unknown field", _weights(b"", {**ENTRY, "magic": 1}), "got magic", STUDIES),
    Bad("weights", "no channels", _weights(b"", {**ENTRY, "channels": []}), "channels to list",
        STUDIES),
    Bad("weights", "channels of numbers", _weights(b"", {**ENTRY, "channels": 4}), "channels to list",
        STUDIES),
    Bad("weights", "empty file", _weights(b"", ENTRY), "readable weights", STUDIES),
    Bad("weights", "a header of exabytes", _weights(HUGE_HEADER, ENTRY), "readable weights", STUDIES),
    Bad("weights", "tensors of terabytes", _weights(LYING_HEADER, ENTRY), "readable weights", STUDIES),
    Bad("weights", "a pickle", _weights(b"\x80\x02cos\nsystem\n(S'true'\ntR.", ENTRY, "w.pt"),
        "readable weights", STUDIES),
    Bad("weights", "a published row without its file", lambda p: [*SEGMENT, "brats21-fold0"],
        "found no file", STUDIES),
)  # fmt: skip

# ---- settings and command line


def _with(*arguments: str) -> Made:
    return lambda place: [*arguments]


RENDER = ["render", "--out", "pictures", "--case", GOOD, "--representation"]
SETTINGS = (
    Bad("setting", "no such study", _with("render", "--out", "x", "--case", "nobody",
        "--representation", "blank"), "Expected one of the 1 studies", STUDIES),
    Bad("setting", "no such representation", _with(*RENDER, "hologram"), "single-slice", STUDIES),
    Bad("setting", "no such model", _with(*RENDER, "blank", "--model", "no model"),
        "Expected a model", STUDIES),
    Bad("setting", "a model's path out of the hub", _with(*RENDER, "blank", "--model", "../../etc"),
        "Expected a model", STUDIES),
    Bad("setting", "no mask to draw", _with(*RENDER, "single-slice", "--include-masks"),
        "mask", STUDIES),
    Bad("setting", "an expert's slice without expert",
        _with(*RENDER, "single-slice", "--slice-from", "expert"), "mask", STUDIES),
    Bad("setting", "a slice of no number",
        _with(*RENDER, "single-slice", "--slice-mm", "nan", "0", "0"), "finite", STUDIES),
    Bad("setting", "a slice at infinity",
        _with(*RENDER, "single-slice", "--slice-mm", "0", "inf", "0"), "finite", STUDIES),
    Bad("setting", "no such scheme", lambda p: ["cases", "--data", str(p / "data"),
        "--label-scheme", "mine"], "brats-2021", STUDIES),
    Bad("setting", "an open network without login", _with("serve", "--host", "0.0.0.0"),
        "Expected a login", STUDIES),
    Bad("setting", "a login without its file", _with("serve", "--auth", "anna:/nowhere"),
        "readable file that holds the password", STUDIES),
    Bad("setting", "a login with a short password", _with("serve"), "at least 8 characters", STUDIES,
        {"MRI_VQA_AUTH": "anna:short"}),
    Bad("setting", "no such record", lambda p: ["replay", "zz", "--data", str(p / "data")],
        "Expected the id of one record", STUDIES),
    Bad("setting", "an export of another kind", _with("export", "--out", "x.docx"),
        "Expected a file that ends in", STUDIES),
)  # fmt: skip

# ---- servers

SERVED = [*ASK[:-1], "server:x"]
URL = "MRI_VQA_SERVER_URL"


def _server(place: Path) -> list[str]:
    _questions(_json(), "q.jsonl")(place)
    return [*SERVED, "--questions", str(place / "q.jsonl")]


SERVERS = tuple(
    Bad("server", name, _server, says, STUDIES, {URL: url})
    for name, url, says in (
        ("another scheme", "ftp://127.0.0.1/v1", "neither http"),
        ("a file", "file:///etc/passwd", "neither http"),
        ("no scheme", "127.0.0.1:8000", "neither http"),
        ("no host", "http:///v1", "neither http"),
        ("a password inside", "http://u:p@127.0.0.1/v1", "without a user name"),
        ("a query inside", "http://127.0.0.1/v1?key=x", "without a user name"),
        ("half a bracket", "http://[::1/v1", "the address of a server"),
        ("a port of letters", "http://127.0.0.1:port/v1", "the address of a server"),
        ("a port too high", "http://127.0.0.1:99999/v1", "the address of a server"),
        ("nobody listens", "http://127.0.0.1:9/v1", "refuses the connection"),
    )
)

# ---- database

DATABASE = "MRI_VQA_DATABASE"


def _results(place: Path) -> list[str]:
    (place / "text.sqlite").write_bytes(
        b"this is no database, but long enough to be looked at" * 40
    )
    return ["results"]


DATABASES = tuple(
    Bad("database", name, _results, says, STUDIES, {DATABASE: url})
    for name, url, says in (
        ("no address", "nonsense", "Expected"),
        ("an unknown kind", "oracle9://x/y", "Expected a database"),
        ("a folder", "sqlite:////tmp", "Expected"),
        ("not a database", "sqlite:///{place}/text.sqlite", "Expected"),
        ("nobody listens", "postgresql://u:secret@127.0.0.1:9/x", "Expected a database"),
        ("a port of letters", "postgresql://u:secret@127.0.0.1:port/x", "Expected a database"),
    )
)

# ---- answers from elsewhere


def _import(content: bytes | str, name: str) -> Made:
    def made(place: Path) -> list[str]:
        (place / name).write_bytes(content.encode() if isinstance(content, str) else content)
        return ["import", str(place / name)]

    return made


def _zip_bomb(place: Path) -> list[str]:
    with (
        zipfile.ZipFile(place / "a.xlsx", "w", zipfile.ZIP_DEFLATED) as book,
        book.open("xl/worksheets/sheet1.xml", "w", force_zip64=True) as sheet,
    ):
        for _ in range(200):
            sheet.write(bytes(2**20))
    return ["import", str(place / "a.xlsx")]


IMPORTS = (
    Bad("answers", "missing", lambda p: ["import", str(p / "no.csv")], "found none", STUDIES),
    Bad("answers", "a folder", lambda p: ["import", str(p)], "found none", STUDIES),
    Bad("answers", "other columns", _import("a,b\n1,2\n", "a.csv"), "Expected answers", STUDIES),
    Bad("answers", "empty", _import("", "a.csv"), "Expected answers", STUDIES),
    Bad("answers", "no workbook", _import(b"PK\x03\x04", "a.xlsx"), "an Excel workbook", STUDIES),
    Bad("answers", "a workbook that is a bomb", _zip_bomb, "an Excel workbook", STUDIES),
    Bad("answers", "samples that are none", _import('{"logs": [1, 2]}', "a.json"), "samples",
        STUDIES),
)  # fmt: skip

BAD_INPUTS = (
    *FILES, *FOLDERS, *QUESTIONS, *WEIGHTS, *SETTINGS, *SERVERS, *DATABASES, *IMPORTS,
)  # fmt: skip
