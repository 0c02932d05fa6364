"""bfloat16 where it is fast, else float32, never float16 (A11)."""

from __future__ import annotations

import pytest

from inference.models import precision
from inference.models.precision import choose_precision


@pytest.mark.parametrize("device", ["cpu", "cuda", "mps"])
@pytest.mark.parametrize("fast", [True, False])
def test_the_rule(monkeypatch: pytest.MonkeyPatch, device: str, fast: bool) -> None:
    monkeypatch.setattr(precision, "has_fast_bf16", lambda place: fast)
    chosen = choose_precision("auto", device)
    assert chosen.dtype == ("bfloat16" if fast else "float32")
    assert chosen.dtype in chosen.reason and device in chosen.reason
    assert choose_precision("float32", device).dtype == "float32"


def test_a_cpu_without_the_instructions_computes_in_float32(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import torch

    monkeypatch.setattr(torch.cpu, "get_capabilities", dict, raising=False)
    assert choose_precision("auto", "cpu").dtype == "float32"
