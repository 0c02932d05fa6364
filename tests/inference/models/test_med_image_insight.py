"""MedImageInsight by its own package, with a tiny network of the package's own classes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from inference.models.embedding import EmbeddingModel
from inference.models.errors import ModelUnavailable
from inference.models.loading import load_model
from inference.models.protocol import GenerationSettings
from inference.models.table import MODELS, model_entry
from tests.inference.models.checkpoints import picture, prompt

TINY: dict[str, Any] = {
    "VERBOSE": False,
    "IMAGE_ENCODER": {
        "NAME": "davit_v1",
        "NUM_CLASSES": 0,
        "IMAGE_SIZE": [64, 64],
        "IMAGE_MEAN": [0.485, 0.456, 0.406],
        "IMAGE_STD": [0.229, 0.224, 0.225],
        "LOAD_PRETRAINED": True,
        "SPEC": {
            "DROP_RATE": 0.1,
            "DROP_PATH_RATE": 0.9,  # so high that a network in training mode would give it away
            "PATCH_SIZE": [7, 3, 3, 3],
            "PATCH_STRIDE": [4, 2, 2, 2],
            "PATCH_PADDING": [3, 1, 1, 1],
            "PATCH_PRENORM": [False, True, True, True],
            "DIM_EMBED": [8, 16, 32, 64],
            "NUM_HEADS": [1, 2, 4, 8],
            "NUM_GROUPS": [1, 2, 4, 8],
            "DEPTHS": [1, 1, 2, 1],
            "WINDOW_SIZE": 2,
            "ENABLE_CHECKPOINT": True,
        },
    },
    "LANG_ENCODER": {
        "NAME": "transformer",
        "LOAD_PRETRAINED": False,
        "TOKENIZER": "clip",
        "CONTEXT_LENGTH": 77,
        "WIDTH": 16,
        "HEADS": 2,
        "LAYERS": 2,
        "AUTOGRESSIVE": False,
    },
    "UNICL_MODEL": {"DIM_PROJECTION": 16, "LOAD_PRETRAINED": True, "PRETRAINED_LAYERS": "*"},
    "AUG": {"INTERPOLATION": "bicubic"},
    "TEST": {"CENTER_CROP": False},
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Laid out as the repository on the hub: safetensors that end in .pt."""
    pytest.importorskip("MedImageInsights", reason="pip install medimageinsights")
    import torch
    from safetensors.torch import save_file

    from inference.models.med_image_insight import _config

    made = tmp_path_factory.mktemp("insight")
    (made / "2024.09.27" / "vision_model").mkdir(parents=True)
    (made / "2024.09.27" / "config.yaml").write_text(yaml.safe_dump(TINY))
    from MedImageInsights.Models.UniCLModel import UniCLModel

    torch.manual_seed(23)
    network = UniCLModel(_config(made))
    network.custom_init_weights()
    weights = {name: tensor.contiguous() for name, tensor in network.state_dict().items()}
    save_file(weights, made / "2024.09.27" / "vision_model" / "medimageinsight-v1.0.0.pt")
    return made


@pytest.fixture(scope="module")
def model(folder: Path) -> EmbeddingModel:
    row = model_entry(str(folder))
    assert (row.kind, row.family, row.dtype) == ("embedding", "medimageinsight", "float32")
    loaded = load_model(row, lambda share, text: None)
    assert isinstance(loaded, EmbeddingModel)
    return loaded


def test_it_never_answers_in_training_mode(model: EmbeddingModel) -> None:
    assert not any(module.training for module in model.encoder.network.modules())  # type: ignore[union-attr]
    asked = prompt(picture(1))
    scores = model.score_options(asked)
    assert scores is not None and sum(scores.probabilities) == pytest.approx(1.0)
    assert all(model.score_options(asked) == scores for _ in range(3))


def test_the_picture_and_the_words_matter(model: EmbeddingModel) -> None:
    scores = [model.score_options(prompt(picture(seed))) for seed in (1, 2)]
    assert scores[0] != scores[1]
    turned = model.score_options(prompt(picture(1), order=(1, 2, 0)))
    assert scores[0] is not None and turned is not None
    a, b, c = scores[0].probabilities
    assert turned.probabilities == pytest.approx((b, c, a), abs=1e-5)


def test_it_computes_what_the_package_computes(model: EmbeddingModel) -> None:
    """Pictures and texts go in as the package's own `predict` puts them in."""
    import torch
    from MedImageInsights.Models.medimageinsightmodel import MedImageInsight
    from PIL import Image

    encoder: Any = model.encoder
    theirs = MedImageInsight()
    theirs.model, theirs.device = encoder.network, torch.device("cpu")
    theirs.preprocess, theirs.tokenize, theirs.max_length = (
        encoder.transform, encoder.tokenizer, 77,
    )  # fmt: skip
    asked = prompt(picture(1))
    texts = [f"{asked.stem} {option}" for option in asked.options_shown]
    shares = theirs.run_inference_batch([Image.fromarray(picture(1).pixels)], texts)[0]
    scores = model.score_options(asked)
    assert scores is not None
    assert scores.probabilities == pytest.approx(shares.tolist(), abs=1e-6)


def test_texts_are_cut_at_77_tokens_and_that_is_said(model: EmbeddingModel) -> None:
    long = prompt(picture(1), stem="Which side is it? " * 20)
    assert model.cut_statements(long) == 3 and model.cut_statements(prompt(picture(1))) == 0
    reply = model.generate(long, GenerationSettings(), lambda text: None, lambda: False)
    assert "3 of 3 statements were cut at 77 tokens" in reply.text


def test_the_revision_names_the_weights(model: EmbeddingModel) -> None:
    assert model.revision is not None and model.revision.startswith("sha256-")


def test_a_pickle_is_refused(folder: Path, tmp_path: Path) -> None:
    import torch

    _copy(folder, tmp_path, "pickle")
    torch.save({"a": torch.zeros(2)}, next(tmp_path.rglob("*.pt")))
    with pytest.raises(ModelUnavailable, match="as safetensors, but it cannot be loaded"):
        load_model(model_entry(str(tmp_path)), lambda share, text: None)


def test_missing_weights_are_never_made_up(folder: Path, tmp_path: Path) -> None:
    from safetensors.torch import load_file, save_file

    _copy(folder, tmp_path, "fewer")
    file = next(tmp_path.rglob("*.pt"))
    weights = load_file(file)
    weights.pop("image_projection")
    save_file(weights, file)
    with pytest.raises(ModelUnavailable, match="1 are missing, image_projection among them"):
        load_model(model_entry(str(tmp_path)), lambda share, text: None)


def test_without_the_package_one_sentence_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("inference.models.loading.find_spec", lambda name: None)
    with pytest.raises(ModelUnavailable, match="pip install MedImageInsights"):
        load_model(MODELS["lion-ai/MedImageInsights"], lambda share, text: None)


def _copy(folder: Path, into: Path, name: str) -> None:
    for file in folder.rglob("*.*"):
        if file.is_file():
            copied = into / file.relative_to(folder)
            copied.parent.mkdir(parents=True, exist_ok=True)
            copied.write_bytes(file.read_bytes())
