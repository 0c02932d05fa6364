"""What works on this machine, and the command or step that mends what does not.

Nothing is loaded, fetched or asked over a network; what cannot be told from
here (a browser's WebGL) is said to be unknown.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from importlib import metadata
from pathlib import Path
from typing import Any, Literal

from inference.database import DATA_VARIABLE, URL_VARIABLE
from inference.errors import DatabaseFault, NoDatabase
from inference.models.machine import Machine, this_machine
from inference.models.readiness import readiness
from inference.models.table import DEFAULT_MODEL, MODELS
from inference.record_store import RecordStore, data_folder
from viewer.cache_folder import CACHE_VARIABLE, cache_folder
from viewer.catalogue import Catalogue
from viewer.errors import UserError
from viewer.routes import NIIVUE_CODE

State = Literal["works", "limited", "fault", "unknown"]
GIB = 2**30
DISTRIBUTION = "mri-vqa-viewer"
PYTHON = (3, 11)
ROOM_GIB = 1.0
"""Demo studies take about 0.1 GiB, a mask 0.1 MB, a record's pictures under 1 MB."""


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at: "works", "limited" (other things do), "fault", "unknown"."""

    what: str
    state: State
    says: str
    fix: str | None = None


Look = Callable[[Machine], Iterator[Finding]]


def self_check(looks: Sequence[Look] = ()) -> tuple[Finding, ...]:
    """Everything that can be looked at here, then what the caller's own `looks` find."""
    machine = this_machine()
    return tuple(finding for look in (*LOOKS, *looks) for finding in look(machine))


def check_document(findings: Sequence[Finding]) -> dict[str, Any]:
    """The command line's document."""
    return {"works": not faults(findings), "findings": [asdict(each) for each in findings]}


def check_lines(findings: Sequence[Finding]) -> list[str]:
    """A line for each finding, its fix below it."""
    lines = []
    for each in findings:
        lines.append(f"{each.state:8} {each.what}: {each.says}")
        if each.fix:
            lines.append(f"{'':8} -> {each.fix}")
    return lines


def faults(findings: Sequence[Finding]) -> list[Finding]:
    """What keeps the application from its work."""
    return [each for each in findings if each.state == "fault"]


def _python(machine: Machine) -> Iterator[Finding]:
    here = sys.version.split()[0]
    enough = sys.version_info >= PYTHON
    wanted = ".".join(map(str, PYTHON))
    yield Finding(
        "Python",
        "works" if enough else "fault",
        here,
        None if enough else f"install Python {wanted} or later",
    )


def _packages(machine: Machine) -> Iterator[Finding]:
    """Every package that the project asks for is here, in a version that it asks for."""
    from packaging.requirements import Requirement

    fix = "pip install -e ."
    try:
        wanted = [Requirement(line) for line in metadata.requires(DISTRIBUTION) or ()]
    except metadata.PackageNotFoundError:
        yield Finding("packages", "fault", f"{DISTRIBUTION} is not installed", fix)
        return
    needed = [each for each in wanted if each.marker is None or each.marker.evaluate({"extra": ""})]
    wrong = [problem for each in needed if (problem := _unmet(each.name, str(each.specifier)))]
    for problem in wrong:
        yield Finding("packages", "fault", problem, fix)
    if not wrong:
        yield Finding("packages", "works", f"all {len(needed)} in the versions asked for")


def _unmet(name: str, specifier: str) -> str | None:
    from packaging.specifiers import SpecifierSet

    try:
        version = metadata.version(name)
    except metadata.PackageNotFoundError:
        return f"{name}{specifier} is missing"
    if SpecifierSet(specifier).contains(version, prereleases=True):
        return None
    return f"{name} {version} is here, {name}{specifier} is asked for"


def _page(machine: Machine) -> Iterator[Finding]:
    whole = NIIVUE_CODE.is_file()
    says = "NiiVue's code is in place" if whole else "NiiVue's code is missing: no pane is drawn"
    fix = None if whole else "pip install -e . (fetches it, checked by its hash)"
    yield Finding("panes", "works" if whole else "fault", says, fix)
    yield Finding(
        "WebGL 2",
        "unknown",
        "a matter of the browser; without it the page falls back to plain pictures and says so",
    )


def _machine(machine: Machine) -> Iterator[Finding]:
    form = "bfloat16, fast here" if machine.fast_bf16 else "float32, bfloat16 is not fast here"
    yield Finding("device", "works", f"{machine.device}; models compute in {form}")
    free = machine.free_bytes
    if free is None:
        yield Finding("memory", "unknown", "the system does not say how much is free")
        return
    enough = free > 2 * GIB
    yield Finding(
        "memory",
        "works" if enough else "limited",
        f"{free / GIB:.1f} GiB free on {machine.device}",
        None if enough else "close other programs: a study takes 0.2 GiB, the demo network 2 GiB",
    )


def _folders(machine: Machine) -> Iterator[Finding]:
    for what, folder, variable in (
        ("cache", cache_folder(), CACHE_VARIABLE),
        ("records", data_folder(), DATA_VARIABLE),
    ):
        reason = _unwritable(folder)
        if reason:
            yield Finding(what, "fault", f"{folder}: {reason}", f"set {variable} to another folder")
            continue
        free = shutil.disk_usage(folder).free / GIB
        enough = free > ROOM_GIB
        yield Finding(
            what,
            "works" if enough else "limited",
            f"{folder}, {free:.1f} GiB free",
            None if enough else f"free the disk or set {variable} to another folder",
        )


def _unwritable(folder: Path) -> str | None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(b"x")
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        return error.strerror or type(error).__name__
    return None


def _database(machine: Machine) -> Iterator[Finding]:
    from sqlalchemy import func, select

    from inference.tables import RECORDS

    store = RecordStore(data_folder())
    try:
        with store.engine.connect() as connection:
            count = connection.scalar(select(func.count()).select_from(RECORDS))
            place = store.engine.url.render_as_string(hide_password=True)
    except (NoDatabase, DatabaseFault) as error:
        yield Finding("database", "fault", str(error), f"mend it or set {URL_VARIABLE}")
        return
    finally:
        if "engine" in vars(store):
            store.close()
    yield Finding("database", "works", f"{place}, {count} records")


def _models(machine: Machine) -> Iterator[Finding]:
    """The default model must load; any other is only one choice less."""
    for name, entry in MODELS.items():
        here = readiness(entry, machine)
        state: State = "works" if here.state == "ready" else "limited"
        if state == "limited" and name == DEFAULT_MODEL:
            state = "fault"
        yield Finding(f"model {name}", state, here.reason, here.command)


def _weights(machine: Machine) -> Iterator[Finding]:
    from segmentation.weights import EMBEDDED, find_weights, weights_names

    for name in weights_names():
        try:
            found = find_weights(name)
        except UserError as error:
            yield Finding(f"weights {name}", "fault" if name == EMBEDDED else "limited", str(error))
        else:
            yield Finding(f"weights {name}", "works", found.identity)


def data_look(open_catalogue: Callable[[], Catalogue | None]) -> Look:
    """What the catalogue finds and cannot read; None where there is none to read yet."""

    def look(machine: Machine) -> Iterator[Finding]:
        try:
            catalogue = open_catalogue()
        except UserError as error:
            yield Finding("studies", "fault", str(error))
            return
        if catalogue is None:
            yield Finding("studies", "works", "the demo studies are made at the first start")
            return
        bad = len(catalogue.problems) + sum(len(study.problems) for study in catalogue.studies)
        told = f"{len(catalogue.studies)} found" + (f", {bad} problems" if bad else "")
        fix = "python app.py cases (with the same --data) names each" if bad else None
        state: State = "limited" if bad else "works"
        if not catalogue.studies:
            state, fix = "fault", "name a folder with studies: --data DIR"
        yield Finding("studies", state, told, fix)

    return look


LOOKS: tuple[Look, ...] = (
    _python, _packages, _page, _machine, _folders, _database, _models, _weights,
)  # fmt: skip
