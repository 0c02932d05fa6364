"""The licences of everything that this project needs and that is installed here.

python -m tests.licences            name, version, licence: one line each
python -m tests.licences --json     the same as a document
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from packaging.requirements import Requirement

PROJECT = "mri-vqa-viewer"
UNKNOWN = "not stated"
TEXT_FILES = re.compile(r"(?:.*/)?(?:LICEN[CS]E|COPYING)[^/]*$", re.IGNORECASE)


@dataclass(frozen=True)
class Licence:
    """What a package says of itself."""

    name: str
    version: str
    licence: str


def licences(project: str = PROJECT) -> list[Licence]:
    """The project's dependencies and theirs, as far as they are installed, by name."""
    found: dict[str, Licence] = {}
    waiting = [(project, frozenset({""}))]
    while waiting:
        name, extras = waiting.pop()
        key = re.sub(r"[-_.]+", "-", name).lower()
        try:
            package = distribution(name)
        except PackageNotFoundError:
            continue
        if key not in found:
            found[key] = Licence(package.metadata["Name"], package.version, _licence_of(package))
            waiting += _needs(package, extras)
    found.pop(project, None)
    return [found[key] for key in sorted(found)]


def _needs(package: Distribution, extras: frozenset[str]) -> Iterator[tuple[str, frozenset[str]]]:
    for text in package.requires or ():
        wanted = Requirement(text)
        if wanted.marker is None or any(wanted.marker.evaluate({"extra": e}) for e in extras):
            yield wanted.name, frozenset({"", *wanted.extras})


def _licence_of(package: Distribution) -> str:
    """Its expression, else its classifiers, else its own words, else the file that holds them."""
    told = package.metadata
    classified = [
        line.rpartition(" :: ")[2]
        for line in told.get_all("Classifier", [])
        if line.startswith("License :: ") and not line.endswith("OSI Approved")
    ]
    words = (told.get("License") or "").strip().splitlines()[:1]
    files = [str(file) for file in package.files or () if TEXT_FILES.match(str(file))]
    shown = (told.get("License-Expression"), ", ".join(classified), *words)
    known = next((each for each in shown if each and each != "UNKNOWN"), None)
    return known or (f"see {Path(files[0]).name}" if files else UNKNOWN)


def main() -> int:
    """Print the list."""
    parser = argparse.ArgumentParser(prog="python -m tests.licences", description=__doc__)
    parser.add_argument("--json", action="store_true")
    listed = licences()
    if parser.parse_args().json:
        print(json.dumps([asdict(each) for each in listed], indent=2))
    else:
        print("\n".join(f"{e.name} {e.version}: {e.licence}" for e in listed))
    return 0


if __name__ == "__main__":
    sys.exit(main())
