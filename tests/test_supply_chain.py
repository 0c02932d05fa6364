"""What comes from elsewhere is what it is said to be: NiiVue, locked packages, licences."""

from __future__ import annotations

import re
import tomllib
from hashlib import sha256
from pathlib import Path

from fastapi import FastAPI
from packaging.requirements import Requirement
from starlette.testclient import TestClient

from tests.licences import UNKNOWN, licences
from viewer.routes import mount_static

ROOT = Path(__file__).resolve().parents[1]
NIIVUE = {
    "0.69.0": "d6c2be4feb1ad53b2ac76b4196da8d8fd2263b662b511c55ca0fd127eb6a6532",
}
"""Version -> sha256 of its dist/index.js, from the package that pyproject.toml pins."""

COPYLEFT = re.compile(r"\b(?:A?GPL|GNU (?:Affero )?General Public)", re.IGNORECASE)
SILENT = {"cuda-toolkit", "triton"}
"""Packages without a word about their licence; NVIDIA's own, and only where there is CUDA."""


def project() -> dict[str, object]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def test_the_served_niivue_is_the_recorded_one() -> None:
    hook = project()["tool"]["hatch"]["build"]["targets"]["wheel"]["hooks"]["npm-vendor"]  # type: ignore[index]
    (package,) = hook["packages"]
    assert package["integrity"].startswith("sha512-")
    app = FastAPI()
    mount_static(app)
    served = TestClient(app).get("/static/niivue/index.js")
    assert sha256(served.content).hexdigest() == NIIVUE[package["version"]]


def test_every_dependency_is_locked_with_hashes_and_without_a_host() -> None:
    text = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    assert "://" not in text and "--index-url" not in text
    locked = dict(re.findall(r"^([a-z0-9][\w.-]*)==([^\s;\\]+)", text, re.MULTILINE))
    assert len(locked) > 50
    blocks = re.split(r"^(?=[a-z0-9])", text, flags=re.MULTILINE)[1:]
    assert all("--hash=sha256:" in block for block in blocks)
    for line in project()["project"]["dependencies"]:  # type: ignore[index]
        wanted = Requirement(line)
        assert wanted.specifier.contains(locked[wanted.name.lower().replace("_", "-")])


def test_every_licence_is_known_and_none_binds_the_whole() -> None:
    found = licences()
    assert len(found) > 40
    unknown = {each.name for each in found if each.licence == UNKNOWN}
    assert unknown <= SILENT
    assert not [each for each in found if COPYLEFT.search(each.licence)]
