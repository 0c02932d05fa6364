"""Whether a model loads here is known before anything is loaded, with the command that mends it."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from inference.models.entries import ModelEntry
from inference.models.folders import cached_snapshot
from inference.models.machine import Machine, this_machine
from inference.models.readiness import readiness
from inference.models.table import DEFAULT_MODEL, MODELS, model_entry

MEDGEMMA = model_entry("google/medgemma-1.5-4b-it")
LINGSHU = model_entry("lingshu-medical-mllm/Lingshu-7B")
BIG = Machine("cuda", 200 * 2**30, fast_bf16=True, token=True, offline=False)
SMALL = replace(BIG, device="cpu", free_bytes=8 * 2**30, fast_bf16=False)


@pytest.fixture(autouse=True)
def empty_hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "hub"))
    return tmp_path / "hub"


@pytest.mark.parametrize(
    ("entry", "machine", "state", "reason", "command"),
    [
        (MEDGEMMA, replace(BIG, token=False), "cannot", "Gated", "hf auth login && hf download"),
        (MEDGEMMA, BIG, "to fetch", "loading fetches them", f"hf download {MEDGEMMA.source}"),
        (LINGSHU, replace(BIG, offline=True), "cannot", "HF_HUB_OFFLINE", "unset HF_HUB_OFFLINE"),
        (
            LINGSHU,
            SMALL,
            "cannot",
            r"Needs about 37\.1 GiB of memory on cpu, and 8\.0 GiB are free",
            None,
        ),
        (
            LINGSHU,
            replace(BIG, free_bytes=12 * 2**30),
            "cannot",
            "Needs about 18.6 GiB",
            "--model lingshu-medical-mllm/Lingshu-7B@4bit",
        ),
        (model_entry("Qwen/Qwen3-8B@4bit"), SMALL, "cannot", "CUDA|bitsandbytes", None),
        (
            MODELS["microsoft/llava-med-v1.5-mistral-7b"],
            BIG,
            "cannot",
            "LLaVA package",
            "--model chaoyinshe/llava-med-v1.5-mistral-7b-hf",
        ),
        (
            MODELS["lion-ai/MedImageInsights"],
            replace(BIG, packages=frozenset({"MedImageInsights"})),
            "to fetch",
            "loading fetches them",
            "hf download lion-ai/MedImageInsights",
        ),
        (
            MODELS["server:Med3DVLM"],
            SMALL,
            "ready",
            "Asked at http://127.0.0.1:8010/v1",
            None,
        ),
        (MODELS["imported"], BIG, "cannot", "no model to ask", None),
        (MODELS["fake"], SMALL, "ready", "Needs nothing", None),
        (MODELS[DEFAULT_MODEL], SMALL, "ready", "On this machine; takes about 5 MiB", None),
        (model_entry("server:org/vlm"), SMALL, "ready", "Asked at http://127.0.0.1:8000/v1", None),
    ],
)
def test_each_hindrance_is_named_with_what_mends_it(
    entry: ModelEntry, machine: Machine, state: str, reason: str, command: str | None
) -> None:
    import re

    found = readiness(entry, machine)
    assert found.state == state
    assert re.search(reason, found.reason)
    if command:
        assert found.command is not None and command in found.command


def test_a_missing_package_is_named() -> None:
    row = replace(MODELS["fake"], packages=("no_such_package",))
    assert readiness(row, BIG).command == "pip install no_such_package"
    assert readiness(row, replace(BIG, packages=frozenset({"no_such_package"}))).state == "ready"


def snapshot(hub: Path, hub_id: str, size: int) -> Path:
    folder = hub / ("models--" + hub_id.replace("/", "--"))
    (folder / "refs").mkdir(parents=True)
    (folder / "refs" / "main").write_text("abc123")
    (folder / "snapshots" / "abc123").mkdir(parents=True)
    config = {"architectures": ["Qwen3ForCausalLM"], "dtype": "bfloat16"}
    (folder / "snapshots" / "abc123" / "config.json").write_text(json.dumps(config))
    (folder / "snapshots" / "abc123" / "model.safetensors").write_bytes(b"\0" * size)
    return folder / "snapshots" / "abc123"


def test_what_the_hub_left_on_the_disk_counts(empty_hub: Path) -> None:
    found = snapshot(empty_hub, "some/llm", 2_000_000)
    assert cached_snapshot("some/llm") == found
    entry = model_entry("some/llm")
    assert entry.kind == "text-llm", "the configuration on the disk says so"
    told = readiness(entry, replace(SMALL, offline=True))
    assert (told.state, told.reason) == ("ready", "On this machine; takes about 5 MiB on cpu.")


def test_a_folder_without_its_weights_is_named(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("{}")
    told = readiness(model_entry(str(tmp_path)), BIG)
    assert told.state == "cannot" and "model.safetensors is missing" in told.reason


def test_a_server_address_with_a_secret_is_refused_without_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("MRI_VQA_SERVER_URL", "http://me:hush@host/v1")
    told = readiness(model_entry("server:org/vlm"), BIG)
    assert told.state == "cannot" and "hush" not in told.reason
    assert told.command is not None and told.command.startswith("export MRI_VQA_SERVER_URL=")


def test_the_machine_is_looked_at_without_its_secrets() -> None:
    machine = this_machine({"HF_TOKEN": "hf_hush", "HF_HUB_OFFLINE": "1"})
    assert machine.token and machine.offline
    assert "hf_hush" not in repr(machine)
    assert machine.free_bytes is None or machine.free_bytes > 0


def test_nothing_heavy_is_imported_to_find_out() -> None:
    code = (
        "import sys; from inference.model_rows import models_table; "
        "from inference.models.machine import this_machine; "
        "from inference.models.table import MODELS; "
        "models_table(MODELS.values(), this_machine(), ()); "
        "print([m for m in ('torch', 'transformers', 'huggingface_hub') if m in sys.modules])"
    )
    root = Path(__file__).resolve().parents[3]
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
