"""A random 3-D network behind the shim: what `--network` names."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from inference.volume_shim import resampled

SHAPE = (16, 32, 32)
LETTERS = ("A", "B", "C", "D")


class TinyVolumeModel:
    """A 3-D convolution and a layer of letters; it says which letter, and what it was sent."""

    def __init__(self) -> None:
        import torch

        torch.manual_seed(3)
        self.network = torch.nn.Sequential(
            torch.nn.Conv3d(1, 4, 3, stride=4), torch.nn.Tanh(), torch.nn.Flatten(),
            torch.nn.LazyLinear(len(LETTERS)),
        ).eval()  # fmt: skip

    def __call__(self, volume: Any, question: str, settings: dict[str, Any]) -> Iterator[str]:
        shares = self.next_token(volume, question, "")
        best = max(LETTERS, key=lambda letter: shares[letter])
        yield f'{{"answer": "{best}", '
        yield f'"reason": "{volume.shape[0]} slices, {settings["volume"]["sides"]}"}}'

    def next_token(self, volume: Any, question: str, begun: str) -> dict[str, float]:
        import torch

        with torch.inference_mode():
            tensor = torch.from_numpy(resampled(volume, SHAPE))[None, None]
            shares = self.network(tensor)[0].log_softmax(-1).tolist()
        return dict(zip(LETTERS, shares, strict=True))


def load() -> TinyVolumeModel:
    """The model, made anew."""
    return TinyVolumeModel()
