"""What this machine offers a model, found out without loading torch.

Looked at once a page, so it reads files and asks `nvidia-smi` at most.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

MEMORY_FILE = Path("/proc/meminfo")
CPU_FILE = Path("/proc/cpuinfo")
BF16_FLAGS = {"amx_bf16", "avx512_bf16"}
SMI = ("nvidia-smi", "--query-gpu=memory.free,compute_cap", "--format=csv,noheader,nounits")
SMI_SECONDS = 5.0
FAST_BF16_CUDA = 8.0
"""CUDA capability from which bfloat16 products run in hardware."""


@dataclass(frozen=True)
class Machine:
    """`device` "cuda" or "cpu"; `free_bytes` is the memory a model may take there.

    None where it cannot be told. `token` says that the hub's client has one to
    send (its value is never read here), `offline` that it may send nothing.
    """

    device: str
    free_bytes: float | None
    fast_bf16: bool
    token: bool
    offline: bool
    packages: frozenset[str] = frozenset()

    def has(self, package: str) -> bool:
        """True where that package can be imported."""
        return package in self.packages or find_spec(package) is not None


def this_machine(environment: Mapping[str, str] | None = None) -> Machine:
    """What is here now."""
    known = os.environ if environment is None else environment
    gpu = _cuda()
    device, free, fast = ("cuda", *gpu) if gpu else ("cpu", _free_memory(), _cpu_has_bf16())
    return Machine(
        device=device,
        free_bytes=free,
        fast_bf16=fast,
        token=_has_token(known),
        offline=known.get("HF_HUB_OFFLINE", "").upper() in {"1", "ON", "YES", "TRUE"},
    )


def _cuda() -> tuple[float, bool] | None:
    """Free bytes of the first CUDA device and whether bfloat16 is fast there; None without one."""
    if shutil.which(SMI[0]) is None or os.environ.get("CUDA_VISIBLE_DEVICES") == "":
        return None
    try:
        told = subprocess.run(SMI, capture_output=True, text=True, timeout=SMI_SECONDS, check=True)
        free, capability = told.stdout.splitlines()[0].split(",")
        return float(free) * 2**20, float(capability) >= FAST_BF16_CUDA
    except (OSError, subprocess.SubprocessError, ValueError, IndexError):
        return None


def _free_memory() -> float | None:
    """Bytes that programs may still take; None where the system does not say."""
    try:
        lines = MEMORY_FILE.read_text(encoding="ascii").splitlines()
        kib = next(line.split()[1] for line in lines if line.startswith("MemAvailable:"))
        return float(kib) * 1024
    except (OSError, StopIteration, ValueError):
        return None


def _cpu_has_bf16() -> bool:
    try:
        return bool(BF16_FLAGS & set(CPU_FILE.read_text(encoding="ascii").split()))
    except (OSError, ValueError):
        return False


def _has_token(environment: Mapping[str, str]) -> bool:
    if environment.get("HF_TOKEN"):
        return True
    home = environment.get("HF_HOME") or "~/.cache/huggingface"
    return Path(environment.get("HF_TOKEN_PATH") or f"{home}/token").expanduser().is_file()
