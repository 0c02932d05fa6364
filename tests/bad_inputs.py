"""What goes wrong, one row each: what it is, how it is made, what is said, what goes on working.

`made(place)` writes into `place` and returns the arguments of a command. A
row of kind "file" or "folder" lies beside a good study: the command succeeds
and says the sentence of that file; every other row ends with status 2.
"""

from __future__ import annotations

import json
import os
import struct
import zipfile
from pathlib import Path

from tests.bad_files import (
    FILES,
    FOLDERS,
    GOOD,
    QUESTION,
    Bad,
    Made,
)

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
    Bad("questions", "semicolons", _questions("case;question;answer\n1;2;3\n"),
        "parted by commas", STUDIES),
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


def _refused(command: tuple[str, ...], end: str, out: str) -> Made:
    """`--out` that cannot be: below a file, or of a name that something else has."""

    def made(place: Path) -> list[str]:
        (place / "text").write_text("no folder")
        if end:
            (place / f"taken{end}").mkdir()
        else:
            (place / "taken").write_text("no folder")
        return [*command, "--out", str(place / f"{out}{end}")]

    return made


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
    Bad("setting", "a slice outside the study",
        _with(*RENDER, "single-slice", "--slice-mm", "0", "0", "1e9"),
        r"inside FLAIR \(x -3.5 to 3.5, y -9.0 to 9.0, z -16.5 to 16.5 mm\)", STUDIES),
    Bad("setting", "a slice by two rules",
        _with(*RENDER, "single-slice", "--slice-from", "centre", "--slice-mm", "0", "0", "0"),
        "got --slice-from centre with --slice-mm", STUDIES),
    Bad("setting", "a slice of one's own without its point",
        _with(*RENDER, "single-slice", "--slice-from", "user"), "without --slice-mm", STUDIES),
    Bad("setting", "a control without its letter", _with(*RENDER, "blank", "--model", "fake:"),
        "fake:LETTER", STUDIES),
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
    *(
        Bad("setting", f"{command[-1]}{end} into {name}",
            _refused(command, end, out), rf"Expected to write .*, got: .*({says})", STUDIES)
        for name, out, says in (
            ("a file as a folder", "text/x", "Not a directory|File exists"),
            ("what has the name", "taken", "Is a directory|File exists"),
        )
        for command, end in (
            (("export",), ".csv"),
            (("export", "--readers"), ".csv"),
            (("export", "--readers"), ".jsonl"),
            (("render", "--case", GOOD, "--representation", "blank"), ""),
        )
    ),
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
