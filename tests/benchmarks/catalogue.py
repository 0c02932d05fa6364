"""How long it takes to list 500 studies: `python -m tests.benchmarks.catalogue`.

Writes the studies to a temporary folder, lists them once to warm the disk, and
prints the seconds of three more listings.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

from tests.viewer.images import save
from viewer.catalogue import find_studies

STUDIES = 500
FILES = ("flair", "t1", "t1ce", "t2", "seg")


def write_studies(root: Path, studies: int = STUDIES) -> None:
    """BraTS 2021 studies of five files each; their size does not matter to a listing."""
    content = save(root / "one.nii.gz").read_bytes()
    (root / "one.nii.gz").unlink()
    for number in range(studies):
        folder = root / f"BraTS2021_{number:05d}"
        folder.mkdir()
        for name in FILES:
            (folder / f"{folder.name}_{name}.nii.gz").write_bytes(content)


def timed_listing(root: Path) -> tuple[float, int]:
    """Seconds of one listing, and how many studies it found."""
    start = time.perf_counter()
    found = len(find_studies([root]).studies)
    return time.perf_counter() - start, found


def main() -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as folder:
        write_studies(Path(folder))
        timed_listing(Path(folder))
        for _ in range(3):
            seconds, found = timed_listing(Path(folder))
            sys.stdout.write(f"{found} studies of {len(FILES)} files: {seconds:.2f} s\n")


if __name__ == "__main__":
    main()
