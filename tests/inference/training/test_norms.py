"""The training's own norm gives the values and gradients of Gemma's."""

from __future__ import annotations

import pytest
import torch
from transformers.models.gemma3.modeling_gemma3 import Gemma3RMSNorm

from inference.training.norms import use_fast_norms


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_values_and_gradients_are_gemmas(dtype: torch.dtype) -> None:
    torch.manual_seed(0)
    plain, fast = Gemma3RMSNorm(32), torch.nn.Sequential(Gemma3RMSNorm(32))
    weight = torch.randn(32)
    plain.weight.data, fast[0].weight.data = weight.clone(), weight.clone()
    use_fast_norms(fast)  # type: ignore[arg-type]
    atol = 1e-2 if dtype.itemsize < 4 else 1e-3
    results = []
    for norm in (plain, fast):
        x = torch.linspace(-2, 3, 3 * 5 * 32).reshape(3, 5, 32).to(dtype).requires_grad_()
        y = norm(x)
        (y.float() ** 3).sum().backward()
        results.append((y, x.grad, next(norm.parameters()).grad))
    for expected, got in zip(*results, strict=True):
        assert expected is not None and got is not None
        torch.testing.assert_close(got, expected, rtol=2e-2, atol=atol)
