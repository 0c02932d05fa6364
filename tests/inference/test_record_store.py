from __future__ import annotations

import json
import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image

from inference.ask import send
from inference.errors import BadRecord
from inference.models.fake import FakeModel
from inference.record_store import DATA_VARIABLE, RecordStore, data_folder
from inference.records import record_from_json
from tests.inference.test_ask import prepared


def test_records_and_their_pictures_are_kept(tmp_path: Path) -> None:
    store, sent = RecordStore(tmp_path / "new"), prepared("multi-slice")
    records = [send(sent, FakeModel(answer=letter)) for letter in "ABé"]
    for record in records:
        store.append(record, sent.pictures)
    stored = store.read()
    assert stored.problems == ()
    assert [record.id for record in stored.records] == [record.id for record in records]
    assert stored.records[2].raw == "é"
    for picture in stored.records[0].pictures:
        with Image.open(store.pictures / f"{picture['sha256']}.png") as image:
            assert image.size == (picture["width"], picture["height"])


def test_a_later_record_changes_no_earlier_line(tmp_path: Path) -> None:
    store = RecordStore(tmp_path)
    store.append(send(prepared(), FakeModel()))
    before = store.path.read_bytes()
    store.append(send(prepared(), FakeModel(answer="C")))
    assert store.path.read_bytes().startswith(before)


def test_a_torn_line_costs_only_itself(tmp_path: Path) -> None:
    store = RecordStore(tmp_path)
    store.append(send(prepared(), FakeModel()))
    with store.path.open("ab") as file:
        file.write(b'{"id": "torn')
    store.append(send(prepared(), FakeModel(answer="C")))
    stored = store.read()
    assert len(stored.records) == 2
    assert [problem.file for problem in stored.problems] == ["records.jsonl, line 2"]


def test_many_writers_lose_nothing(tmp_path: Path) -> None:
    store, record = RecordStore(tmp_path), send(prepared(), FakeModel())
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda n: store.append(replace(record, id=str(n))), range(40)))
    assert {record.id for record in store.read().records} == {str(n) for n in range(40)}


def test_an_empty_store_has_no_records(tmp_path: Path) -> None:
    assert RecordStore(tmp_path).read().records == ()


def test_a_line_of_another_kind_is_refused() -> None:
    with pytest.raises(BadRecord):
        record_from_json(json.loads('{"id": "1"}'))


def test_the_folder_is_the_users(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(DATA_VARIABLE, str(tmp_path))
    assert data_folder() == tmp_path
    monkeypatch.delenv(DATA_VARIABLE)
    assert data_folder().name == "mri-vqa-viewer"
    assert os.fspath(data_folder()) != os.fspath(tmp_path)
