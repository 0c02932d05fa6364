"""Whether a model can load here, and if not, why not and what command mends it.

Answers before anything is loaded, from the row, the disk and the machine.
Nothing is asked over a network: what is not on the disk "has to be fetched".
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from inference.models.entries import WEIGHED, ModelEntry
from inference.models.folders import cached_snapshot, missing_files, parameters_in, refusal_of
from inference.models.machine import Machine
from inference.models.server_address import VARIABLES, server_address
from viewer.errors import UserError

State = Literal["ready", "to fetch", "cannot"]
GIB = 2**30
ROOM = 1.2
"""Memory beside the weights: activations, keys and values of one prompt."""

RESERVE = 1 * GIB
"""Kept free when several models are in memory: encoded pictures, pictures under way."""


@dataclass(frozen=True)
class Readiness:
    """`reason` is one sentence; `command` mends it, None where no command can."""

    state: State
    reason: str
    command: str | None = None


Check = Callable[[ModelEntry, Machine, Path | None], Iterator[Readiness]]


def readiness(entry: ModelEntry, machine: Machine) -> Readiness:
    """The first thing that stands in the way, else that it has to be fetched, else "ready"."""
    folder = _folder(entry)
    found = [each for check in CHECKS for each in check(entry, machine, folder)]
    hindrances = [each for each in found if each.state == "cannot"]
    told = [*hindrances, *found]
    return told[0] if told else Readiness("ready", _ready(entry, machine, folder))


def needed_bytes(entry: ModelEntry, machine: Machine) -> float | None:
    """Memory that the model takes here: 0 where it runs elsewhere, None where nobody knows."""
    if entry.kind not in WEIGHED:
        return 0.0
    folder = _folder(entry)
    whole = folder is not None and not missing_files(folder, entry.family)
    count = parameters_in(folder) if folder and whole else entry.parameters
    return count * _item_bytes(entry, machine) * ROOM if count else None


def fits_beside(needed: float | None, machine: Machine) -> bool:
    """Whether a model may be loaded beside those in memory, the rule of the page.

    What it needs (its weights and a fifth more, `ROOM`) and `RESERVE` for the
    asks of the others have to be free as measured. What nobody can measure is
    never kept beside another; what runs elsewhere always may.
    """
    if needed == 0:
        return True
    if needed is None or machine.free_bytes is None:
        return False
    return needed + RESERVE <= machine.free_bytes


def _item_bytes(entry: ModelEntry, machine: Machine) -> float:
    """Bytes a weight by the rule of `precision.py`: bfloat16 where fast, else float32."""
    if entry.bits:
        return entry.bits / 8
    return 2 if machine.fast_bf16 and entry.dtype == "auto" else 4


def _folder(entry: ModelEntry) -> Path | None:
    if entry.kind not in WEIGHED:
        return None
    return cached_snapshot(entry.source) if entry.hub else Path(entry.source)


def _impossible(entry: ModelEntry, machine: Machine, folder: Path | None) -> Iterator[Readiness]:
    refused = entry.cannot or (refusal_of(folder) if folder else None)
    if refused:
        yield Readiness("cannot", refused, entry.instead)


def _packages(entry: ModelEntry, machine: Machine, folder: Path | None) -> Iterator[Readiness]:
    wanted = (*entry.packages, *(("bitsandbytes",) if entry.bits else ()))
    missing = [package for package in wanted if not machine.has(package)]
    if missing:
        yield Readiness(
            "cannot",
            f"Needs {', '.join(missing)}, which is not installed.",
            f"pip install {' '.join(missing)}",
        )


def _quantised(entry: ModelEntry, machine: Machine, folder: Path | None) -> Iterator[Readiness]:
    if entry.bits and machine.device != "cuda":
        yield Readiness(
            "cannot", f"{entry.bits}-bit weights need a CUDA device; here is only {machine.device}."
        )


def _memory(entry: ModelEntry, machine: Machine, folder: Path | None) -> Iterator[Readiness]:
    needed = needed_bytes(entry, machine)
    if needed and machine.free_bytes is not None and needed > machine.free_bytes:
        yield Readiness(
            "cannot",
            f"Needs about {needed / GIB:.1f} GiB of memory on {machine.device}, and "
            f"{machine.free_bytes / GIB:.1f} GiB are free.",
            f"python app.py --model {entry.name}@4bit"
            if machine.device == "cuda" and not entry.bits and entry.kind != "embedding"
            else None,
        )


def _files(entry: ModelEntry, machine: Machine, folder: Path | None) -> Iterator[Readiness]:
    if entry.kind not in WEIGHED:
        return
    missing = missing_files(folder, entry.family) if folder else ["the weights"]
    if not missing:
        return
    if not entry.hub:
        yield Readiness("cannot", f"{', '.join(missing)} is missing in {folder}.")
    elif machine.offline:
        yield Readiness(
            "cannot",
            "Its weights are not on this machine, and HF_HUB_OFFLINE forbids fetching them.",
            f"unset HF_HUB_OFFLINE && hf download {entry.source}",
        )
    elif entry.gated and not machine.token:
        yield Readiness(
            "cannot",
            "Gated: its weights are not on this machine, and the hub gives them only to an "
            f"account that accepted the terms on {entry.card}.",
            f"hf auth login && hf download {entry.source}",
        )
    else:
        yield Readiness(
            "to fetch",
            "Its weights are not on this machine yet; loading fetches them.",
            f"hf download {entry.source}",
        )


def _server(entry: ModelEntry, machine: Machine, folder: Path | None) -> Iterator[Readiness]:
    variables = VARIABLES.get(entry.kind)
    if variables is None:
        return
    try:
        server_address(variables=variables)
    except UserError as error:
        yield Readiness("cannot", str(error), f"export {variables.url}={variables.default}")


CHECKS: tuple[Check, ...] = (_impossible, _packages, _quantised, _server, _files, _memory)
"""In the order in which a user would meet them."""


def _ready(entry: ModelEntry, machine: Machine, folder: Path | None) -> str:
    if (variables := VARIABLES.get(entry.kind)) is not None:
        url = server_address(variables=variables).url
        return f"Asked at {url}; whether it listens shows when it is loaded."
    needed = needed_bytes(entry, machine)
    if not needed:
        return "Needs nothing."
    return f"On this machine; takes about {in_gib(needed)} on {machine.device}."


def in_gib(size: float) -> str:
    """Bytes for people."""
    return f"{size / GIB:.1f} GiB" if size >= GIB / 10 else f"{size / 2**20:.0f} MiB"
