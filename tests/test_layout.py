"""The house keeps its shape: who may import whom, and how large a file may grow."""

from __future__ import annotations

import ast
from pathlib import Path
from statistics import median

import pytest

ROOT = Path(__file__).resolve().parents[1]
ROOMS = ("viewer", "segmentation", "inference", "app")
"""The chain of dependence: a room may import itself and the rooms before it."""

LAZY = {"torch", "transformers", "monai", "torchvision"}
"""Imported on first use only, so that the command line never waits for them."""

LONGEST = 400
MEDIAN = 150


def sources() -> list[Path]:
    rooms = [p for room in ROOMS[:-1] for p in sorted((ROOT / room).rglob("*.py"))]
    return [*rooms, ROOT / "app.py"]


def room_of(path: Path) -> str:
    return path.relative_to(ROOT).parts[0].removesuffix(".py")


def imports(path: Path, *, top_only: bool = False) -> set[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    nodes = tree.body if top_only else list(ast.walk(tree))
    found: set[str] = set()
    for node in nodes:
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module.split(".")[0])
    return found


@pytest.mark.parametrize("path", sources(), ids=lambda p: str(p.relative_to(ROOT)))
def test_dependence_runs_one_way(path: Path) -> None:
    allowed = set(ROOMS[: ROOMS.index(room_of(path)) + 1])
    assert imports(path) & set(ROOMS) <= allowed


@pytest.mark.parametrize("path", sources(), ids=lambda p: str(p.relative_to(ROOT)))
def test_gradio_stays_in_the_panels(path: Path) -> None:
    if path.name == "app.py" or path.name.startswith("panel"):
        return
    assert "gradio" not in imports(path)


def test_the_command_line_waits_for_no_network_library() -> None:
    """Importing app.py must not import torch, transformers, monai or gradio."""
    import subprocess
    import sys

    code = (
        "import sys, app; "
        f"print([m for m in {sorted(LAZY | {'gradio', 'nilearn'})!r} if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


def test_files_stay_small() -> None:
    lengths = {p: len(p.read_text(encoding="utf-8").splitlines()) for p in sources()}
    too_long = {str(p.relative_to(ROOT)): n for p, n in lengths.items() if n > LONGEST}
    assert not too_long
    assert median(n for n in lengths.values() if n) <= MEDIAN


def test_names_say_what_a_file_is_for() -> None:
    vague = {"utils", "helpers", "helper", "manager", "common", "misc"}
    assert not [p for p in sources() if vague & set(p.stem.split("_"))]
