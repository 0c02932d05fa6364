"""Which weights a name or a path means, found on the disk and checked.

The order of the channels belongs to the weights: fed in another order a network
still draws a plausible mask. A set whose order is not declared is refused.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from segmentation.errors import UnusableWeights
from segmentation.published import PUBLISHED
from segmentation.weights_entry import WeightsEntry, entry_from_json
from viewer.cache_folder import cache_folder
from viewer.errors import UnknownName

EMBEDDED = "demo-swin-unetr"
ASSETS = Path(__file__).resolve().parents[1] / "assets"
SUFFIXES = (".safetensors", ".pt", ".pth")


@dataclass(frozen=True)
class Weights:
    """A row of the table and the file that holds the numbers, with that file's sha256."""

    entry: WeightsEntry
    path: Path
    sha256: str

    @property
    def identity(self) -> str:
        """Name and the first digits of the checksum, as records and masks carry it."""
        return f"{self.entry.name}@{self.sha256[:12]}"


def weights_names() -> tuple[str, ...]:
    """Names that `find_weights` knows, the embedded set first."""
    return (EMBEDDED, *PUBLISHED)


def weights_folder() -> Path:
    """Where downloaded sets are looked for: one folder a name."""
    return cache_folder() / "weights"


def find_weights(name: str = EMBEDDED) -> Weights:
    """The set that `name` means: a row's name, `ROW=FILE`, or a file with a `.json` beside it.

    Raises `UnknownName` for no such row, `UnusableWeights` for a file that is
    missing, does not match its checksum, or says nothing of its channels.
    """
    row, _, file = name.partition("=")
    if file:
        return _checked(_row(row), Path(file).expanduser())
    path = Path(name).expanduser()
    if path.suffix in SUFFIXES:
        return _by_path(path)
    if name == EMBEDDED:
        folder = ASSETS / EMBEDDED
        return _checked(entry_from_json(folder / "model.json"), folder / "model.safetensors")
    entry = _row(name)
    return _checked(entry, weights_folder() / name / "model.pt")


def _row(name: str) -> WeightsEntry:
    if name not in PUBLISHED:
        raise UnknownName(
            f"Expected weights out of {', '.join(weights_names())} or a file ending in "
            f"{', '.join(SUFFIXES)}, got {name!r}; choose one of them."
        )
    return PUBLISHED[name]


def _by_path(path: Path) -> Weights:
    description = path.with_suffix(".json")
    if not path.is_file():
        raise UnusableWeights(f"{path}: no such file of weights; check the path.")
    if not description.is_file():
        raise UnusableWeights(
            f"{path.name}: the order of its channels is not declared; put {description.name} "
            f"beside it, or name its row, for example {next(iter(PUBLISHED))}={path}."
        )
    return _checked(entry_from_json(description), path)


def _checked(entry: WeightsEntry, path: Path) -> Weights:
    if not path.is_file():
        raise UnusableWeights(
            f"{entry.name}: expected its weights at {path}, found no file; "
            + (
                f"fetch them from {entry.source} and put them there."
                if entry.source
                else "put them there."
            )
        )
    found = sha256_of(path)
    if entry.sha256 is not None and found != entry.sha256:
        raise UnusableWeights(
            f"{path.name}: expected sha256 {entry.sha256[:12]}…, got {found[:12]}…; "
            "the file is damaged or another one: fetch it again."
        )
    return Weights(entry, path, found)


def sha256_of(path: Path) -> str:
    """Checksum of a file, read in pieces."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
