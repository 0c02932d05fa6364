"""Mutated files against every reader: nothing but a reading or a sentence may come of them.

    python -m tests.fuzz --minutes 10

A worker process reads one mutated file after the other under a limit of its
memory. The parent watches: a worker that dies, that takes too long over one
file or that raises anything but a `UserError` is a finding, and the file that
did it is kept.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import random
import resource
import select
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

MEMORY_BYTES = 2 << 30
SLOWEST_S = 60.0
"""One file: what a reader may take on a busy machine."""

EDGES = (0, 1, 2, 0x7F, 0x80, 0xFF, 0x7FFF, 0x8000, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF)
SCRAPS = (
    b"\0", b"\xff" * 8, b"\n", b"\r", b'"', b'""', b",", b"{", b"[" * 3000, b"}", b"\\ud800",
    b"9" * 5000, b"NaN", b"1e999", b"null", b"1) a\n2) b", b"-1", b"\x1f\x8b", b"\xef\xbb\xbf",
    b"\xe2\x80\xa8", b"=cmd|' /C calc'!A0", b"<script>", b'"options": [', b'"answer": ',
)  # fmt: skip
HEADER_FIELDS = (0, 40, 42, 44, 46, 48, 50, 54, 68, 70, 72, 76, 80, 84, 88, 108, 112, 116, 123,
                 252, 254, 256, 260, 268, 280, 296, 312, 344)  # fmt: skip
"""Where the fields of a NIfTI-1 header begin that a reader looks at."""


@dataclass(frozen=True)
class Finding:
    """A file that a reader did not survive."""

    file: Path
    what: str


@dataclass(frozen=True)
class Report:
    """How many files were read, and what was found."""

    files: int
    findings: tuple[Finding, ...]


def fuzz(seconds: float, seed: int, keep: Path) -> Report:
    """Read mutated files for so long; files that are findings lie in `keep`."""
    ends = time.monotonic() + seconds
    files, findings = 0, []
    while time.monotonic() < ends:
        read, finding = _watch(seed + files, ends, keep)
        files += read
        if finding is not None:
            findings.append(finding)
    return Report(files, tuple(findings))


def _watch(seed: int, ends: float, keep: Path) -> tuple[int, Finding | None]:
    """One worker until the time is over or it made a finding: (files read, finding)."""
    keep.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place:
        command = [sys.executable, "-m", "tests.fuzz", "--worker", place, "--seed", str(seed)]
        environment = os.environ | {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
        worker = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment
        )
        assert worker.stdout is not None and worker.stderr is not None
        os.set_blocking(worker.stdout.fileno(), False)
        read, current, since = 0, "", time.monotonic()
        try:
            while True:
                ready, _, _ = select.select([worker.stdout], [], [], 0.5)
                lines = (worker.stdout.read() or b"").decode().splitlines() if ready else []
                for line in lines:
                    kind, _, rest = line.partition(" ")
                    if kind == "file":
                        read, current, since = read + 1, rest, time.monotonic()
                    elif kind == "raised":
                        return read, _kept(Path(current), keep, json.loads(rest))
                if worker.poll() is not None:
                    said = worker.stderr.read().decode(errors="replace")[-2000:]
                    return read, _kept(Path(current), keep, f"died ({worker.returncode}): {said}")
                # the first file also waits for the imports
                if time.monotonic() - since > SLOWEST_S * (1 if read else 10):
                    return read, _kept(Path(current), keep, f"over {SLOWEST_S:g} s")
                if read and time.monotonic() > ends:
                    return read, None
        finally:
            worker.kill()
            worker.communicate()


def _kept(file: Path, keep: Path, what: str) -> Finding:
    place = keep / f"{time.time_ns()}-{file.name}"
    if file.is_file():
        place.write_bytes(file.read_bytes())
    return Finding(place, what)


def work(place: Path, seed: int) -> None:
    """Mutate and read without end; a line on stdout before each file and for each finding."""
    readers = _readers()
    originals = _originals(place)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    from viewer.errors import UserError

    for number in range(sys.maxsize):
        chance = random.Random(seed + number)
        name, content = chance.choice(originals)
        file = place / f"mutant_flair{name[name.index('.') :]}"
        file.write_bytes(_mutated(name, content, chance))
        print("file", file, flush=True)
        try:
            readers[name](file)
        except UserError:
            pass
        except BaseException:
            print("raised", json.dumps(traceback.format_exc()[-3000:]), flush=True)
            return


Read = Callable[[Path], object]


def _readers() -> dict[str, Read]:
    """Each kind of original by its name: everything that the application does with such a file."""
    import warnings

    from inference.choices import order_of
    from inference.importing import read_answers
    from inference.question_files import read_questions
    from segmentation.weights_entry import entry_from_json
    from viewer.cache import ArrayCache
    from viewer.catalogue import find_studies
    from viewer.copies import browser_copy
    from viewer.layouts.msd import frame_names
    from viewer.study import MaskFile, SequenceFile

    warnings.simplefilter("error")

    def image(path: Path) -> None:
        for study in find_studies([path.parent]).studies:
            assert study.sequences
        cache = ArrayCache(2**20)
        try:
            browser_copy(cache.volume(SequenceFile("FLAIR", path, (1, 1, 1), (1.0, 1.0, 1.0))))
        finally:
            cache.labels(MaskFile("expert", path, "brats-2021"))

    def questions(path: Path) -> None:
        for question in read_questions(path).questions:
            question.stem.encode()
            if question.problem is None:
                assert len(order_of(question, "1")) == len(question.options)

    def answers(path: Path) -> None:
        for record in read_answers(path).records:
            json.dumps(record.to_json(), allow_nan=False)

    def table(path: Path) -> None:
        try:
            questions(path)
        finally:
            answers(path)

    def description(path: Path) -> None:
        frame_names(path.parent, ("FLAIR",))
        entry_from_json(path)

    return {
        "small_flair.nii": image, "small_flair.nii.gz": image, "label.nii.gz": image,
        "four.nii.gz": image, "q.csv": table, "q.jsonl": table, "q.tsv": table, "r.jsonl": answers,
        "s.xlsx": answers, "dataset.json": description, "w.json": description,
    }  # fmt: skip


def _originals(place: Path) -> list[tuple[str, bytes]]:
    """Small good files of every kind."""
    import nibabel as nib
    import numpy as np

    from tests.inference.made_records import made

    grey = np.arange(7 * 9 * 11, dtype=np.int16).reshape(7, 9, 11)
    single = nib.Nifti1Image(grey, np.diag([1.0, 2.0, 3.0, 1.0]))
    single.header.set_slope_inter(2.0, -5.0)
    labels = nib.Nifti1Image((grey % 4).astype(np.uint8), np.diag([1.0, 2.0, 3.0, 1.0]))
    four = nib.Nifti1Image(np.stack([grey] * 4, axis=-1), np.eye(4))
    row = {"case": "S", "question": "Where?", "options": ["Left", "Right"], "answer": "Left",
           "id": "1", "category": "side", "model": "m", "reply": "A) Left"}  # fmt: skip
    columns = ",".join(row)
    cells = '"S","Where?\n1) Left\n2) Right","Left|Right","Left","1","side","m","A) Left"'
    record = json.dumps(made().to_json())
    return [
        ("small_flair.nii", single.to_bytes()),
        ("small_flair.nii.gz", gzip.compress(single.to_bytes(), mtime=0)),
        ("label.nii.gz", gzip.compress(labels.to_bytes(), mtime=0)),
        ("four.nii.gz", gzip.compress(four.to_bytes(), mtime=0)),
        ("q.csv", f"{columns}\n{cells}\n{cells}\n".encode()),
        ("q.tsv", f"{columns}\n{cells}\n".replace(",", "\t").encode()),
        ("q.jsonl", "\n".join([json.dumps(row)] * 3).encode()),
        ("r.jsonl", "\n".join([record] * 2).encode()),
        ("s.xlsx", _workbook(place, row)),
        ("dataset.json", json.dumps({"modality": {"0": "FLAIR", "1": "T1w"}}).encode()),
        ("w.json", json.dumps({"name": "n", "channels": ["T1"], "outputs": ["WT", "TC", "ET"],
                               "spacing_mm": [1, 1, 1], "normalisation": "z", "roi": [32, 32, 32]})
         .encode()),
    ]  # fmt: skip


def _workbook(place: Path, row: dict[str, object]) -> bytes:
    import openpyxl

    book = openpyxl.Workbook()
    assert book.active is not None
    book.active.append(list(row))
    book.active.append([str(value) for value in row.values()])
    book.save(place / "made.xlsx")
    return (place / "made.xlsx").read_bytes()


def _mutated(name: str, content: bytes, chance: random.Random) -> bytes:
    """Some changes; inside the compressed bytes, or around them."""
    packed = name.endswith(".gz") and chance.random() < 0.8
    changed = bytearray(gzip.decompress(content) if packed else content)
    for _ in range(chance.choice((1, 1, 2, 3, 8))):
        chance.choice(list(_changes(name)))(changed, chance)
    return gzip.compress(bytes(changed), 1, mtime=0) if packed else bytes(changed)


Change = Callable[[bytearray, random.Random], None]


def _changes(name: str) -> Iterator[Change]:
    yield from (_flip, _cut, _double, _scrap, _grow)
    if ".nii" in name:
        yield from (_field, _field, _field, _field, _bomb)


def _flip(content: bytearray, chance: random.Random) -> None:
    if content:
        content[chance.randrange(len(content))] = chance.randrange(256)


def _field(content: bytearray, chance: random.Random) -> None:
    start = chance.choice(HEADER_FIELDS) + chance.choice((0, 0, 0, 2, 4))
    value = chance.choice(EDGES) if chance.random() < 0.7 else chance.randrange(2**32)
    size = chance.choice((2, 4))
    content[start : start + size] = (value & (2 ** (8 * size) - 1)).to_bytes(size, "little")


def _cut(content: bytearray, chance: random.Random) -> None:
    del content[chance.randrange(len(content) + 1) :]


def _double(content: bytearray, chance: random.Random) -> None:
    start = chance.randrange(len(content) + 1)
    content[start:start] = content[start : start + chance.randrange(1, 2000)]


def _scrap(content: bytearray, chance: random.Random) -> None:
    start = chance.randrange(len(content) + 1)
    content[start : start + chance.choice((0, 0, 4))] = chance.choice(SCRAPS)


def _grow(content: bytearray, chance: random.Random) -> None:
    start = chance.randrange(len(content) + 1)
    content[start:start] = chance.choice(
        (b"A", b"1) ", b"(", b" ", b"\0", b'"", ')
    ) * chance.choice((10, 1000, 100_000))


def _bomb(content: bytearray, chance: random.Random) -> None:
    """A header that claims much, and zeros that pack well to hold it up."""
    side = chance.choice((64, 200, 512))
    content[40:48] = b"".join(n.to_bytes(2, "little") for n in (3, side, side, side))
    content += bytes(chance.choice((1000, 1_000_000, 40_000_000)))


def main() -> int:
    """0 where nothing was found."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--seed", type=int, default=None, help="else the time of day")
    parser.add_argument("--keep", type=Path, default=Path(tempfile.gettempdir()) / "mri-vqa-fuzz")
    parser.add_argument("--worker", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.worker is not None:
        work(given.worker, given.seed)
        return 0
    seed = int(time.time()) if given.seed is None else given.seed
    report = fuzz(60 * given.minutes, seed, given.keep)
    print(f"{report.files} files read from seed {seed}, {len(report.findings)} findings")
    for finding in report.findings:
        print(f"{finding.file}: {finding.what}\n")
    return 1 if report.findings else 0


if __name__ == "__main__":
    sys.exit(main())
