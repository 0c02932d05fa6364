"""Device and number format, chosen by one stated rule.

bfloat16 where the device computes fast in it, else float32; never float16:
Gemma 3 overflows in it and answers with nothing but padding.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    import torch


@dataclass(frozen=True)
class Precision:
    """Where and in which format a model computes, and the reason in words."""

    device: str
    dtype: Literal["bfloat16", "float32"]
    reason: str

    @property
    def torch_dtype(self) -> torch.dtype:
        """The format as torch names it."""
        import torch

        return torch.bfloat16 if self.dtype == "bfloat16" else torch.float32


def best_device() -> str:
    """cuda, else mps, else cpu."""
    import torch

    if torch.cuda.is_available():
        return "cuda"
    return "mps" if torch.backends.mps.is_available() else "cpu"


def has_fast_bf16(device: str) -> bool:
    """True where bfloat16 products run in hardware: CUDA 8.0 and up, CPUs with AMX or AVX512_BF16.

    Where torch cannot say what the CPU has, the answer is no.
    """
    import torch

    if device == "cuda":
        return torch.cuda.get_device_capability()[0] >= 8
    if device == "cpu":
        known: dict[str, object] = getattr(torch.cpu, "get_capabilities", dict)()
        return bool(known.get("amx_bf16") or known.get("avx512_bf16"))
    return False


def choose_precision(wanted: Literal["auto", "float32"], device: str | None = None) -> Precision:
    """The rule: what the row asks for, else bfloat16 where fast, else float32."""
    place = device or best_device()
    if wanted == "float32":
        return Precision(place, "float32", "float32: the model is small, and exact is repeatable")
    if has_fast_bf16(place):
        return Precision(place, "bfloat16", f"bfloat16: fast on {place}; float16 is never used")
    return Precision(
        place, "float32", f"float32: bfloat16 is not fast on this {place}; float16 is never used"
    )
