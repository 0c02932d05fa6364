"""Running out of memory, said in words, with the page alive and nothing left behind."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

from inference.models.errors import OutOfMemory

SIGNS = ("out of memory", "can't allocate memory", "not enough memory")
"""What torch's own errors say on CUDA, CPU and MPS."""


@contextmanager
def memory_in_words(name: str) -> Iterator[None]:
    """`OutOfMemory` in one sentence instead of the allocator's; what was reserved is given back."""
    try:
        yield
    except (MemoryError, RuntimeError) as error:
        if not isinstance(error, MemoryError) and not _is_memory(str(error)):
            raise
        give_back()
        raise OutOfMemory(
            f"Expected enough memory for {name}, but it ran out; free another program's memory, "
            "send fewer or smaller pictures (montage), or choose a smaller model "
            "(with CUDA: its name with @4bit)."
        ) from error


def give_back() -> None:
    """Let the device have what nobody holds any more."""
    import torch

    gc.collect()
    if torch.cuda.is_available():
        torch.cuda.empty_cache()


def _is_memory(text: str) -> bool:
    return any(sign in text.lower() for sign in SIGNS)
