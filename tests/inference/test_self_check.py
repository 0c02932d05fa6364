from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from inference import self_check
from inference.database import DATA_VARIABLE, URL_VARIABLE
from inference.self_check import Finding, check_document, check_lines, data_look, faults
from viewer.cache_folder import CACHE_VARIABLE
from viewer.catalogue import Catalogue, find_studies
from viewer.errors import UnwritableFolder


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(DATA_VARIABLE, str(tmp_path / "data"))
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "cache"))
    monkeypatch.delenv(URL_VARIABLE, raising=False)
    return tmp_path


def looked(*looks: self_check.Look) -> dict[str, Finding]:
    return {each.what: each for each in self_check.self_check(looks)}


def test_this_machine_works() -> None:
    found = looked()
    assert faults(list(found.values())) == []
    assert found["WebGL 2"].state == "unknown"
    assert found["model demo-gemma3-vlm"].state == "works"
    assert found["weights demo-swin-unetr"].state == "works"
    assert "0 records" in found["database"].says


def test_every_hindrance_names_what_mends_it() -> None:
    gated = looked()["model google/medgemma-1.5-4b-it"]
    assert gated.state == "limited"
    assert gated.fix is not None and "hf" in gated.fix


@pytest.mark.parametrize(
    ("variable", "what"), [(CACHE_VARIABLE, "cache"), (DATA_VARIABLE, "records")]
)
def test_a_folder_that_cannot_be_written_to_is_a_fault(
    variable: str, what: str, own_folders: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = own_folders / "file"
    place.write_text("")
    monkeypatch.setenv(variable, str(place))
    found = looked()[what]
    assert (found.state, variable in (found.fix or "")) == ("fault", True)


def test_a_database_that_is_none_is_a_fault(
    own_folders: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(URL_VARIABLE, "sqlite:////dev/null/x.sqlite")
    assert looked()["database"].state == "fault"


def test_a_package_of_another_version_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = ["numpy>=99", "nowhere-to-be-found>=1", "nibabel>=5; extra == 'test'"]
    monkeypatch.setattr(self_check.metadata, "requires", lambda name: asked)
    told = [each.says for each in self_check.self_check() if each.what == "packages"]
    assert len(told) == 2
    assert "numpy" in told[0] and "numpy>=99" in told[0]
    assert told[1] == "nowhere-to-be-found>=1 is missing"


def test_studies_and_what_cannot_be_read_are_counted(tmp_path: Path) -> None:
    def refused() -> Catalogue:
        raise UnwritableFolder("Expected room, got none.")

    assert looked(data_look(refused))["studies"].says == "Expected room, got none."
    empty = looked(data_look(lambda: Catalogue((), ())))["studies"]
    assert (empty.state, "--data" in (empty.fix or "")) == ("fault", True)
    folder = tmp_path / "studies"
    folder.mkdir()
    (folder / "S-1_T1.nii.gz").write_bytes(b"no image")
    assert looked(data_look(lambda: None))["studies"].state == "works"
    broken = looked(data_look(lambda: find_studies([folder])))["studies"]
    assert broken.state != "works"


def test_the_document_and_the_lines_say_the_same() -> None:
    fault = Finding("disk", "fault", "full", "free it")
    document = check_document([fault])
    assert document == {"works": False, "findings": [dataclasses.asdict(fault)]}
    assert check_lines([fault]) == ["fault    disk: full", "         -> free it"]
