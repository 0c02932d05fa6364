from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image
from sqlalchemy import text

from inference.answered import answers_by_study
from inference.ask import send
from inference.database import DATA_VARIABLE, URL_VARIABLE, database_url
from inference.errors import BadRecord, NoDatabase
from inference.filters import RecordFilter
from inference.models.fake import FakeModel
from inference.models.protocol import GenerationSettings
from inference.preparation import AskSettings
from inference.record_store import RecordStore, data_folder
from inference.recording import key_of
from inference.records import record_from_json
from tests.inference.made_records import made
from tests.inference.test_ask import Failing, prepared
from viewer.study import session_id


def test_records_and_their_pictures_are_kept(store: RecordStore) -> None:
    sent = prepared("multi-slice")
    records = [send(sent, FakeModel(answer=letter)) for letter in ("A", "B", "é\0\ud800")]
    for record in records:
        store.append(record, sent.pictures)
    stored = store.read()
    assert stored.problems == ()
    assert [record.id for record in stored.records] == [record.id for record in records]
    assert stored.records == tuple(record_from_json(r.to_json()) for r in records)
    assert stored.records[2].raw == "é\0\ud800"
    for picture in stored.records[0].pictures:
        with Image.open(store.pictures / f"{picture['sha256']}.png") as image:
            assert image.size == (picture["width"], picture["height"])


def test_nothing_is_kept_of_a_study_that_one_session_opened(store: RecordStore) -> None:
    sent = prepared("multi-slice")
    record = replace(send(sent, FakeModel()), case=session_id("mine"))
    store.append(record, sent.pictures)
    assert store.read().records == ()
    assert not list(store.folder.glob("pictures/*"))


def test_answers_are_counted_by_study(store: RecordStore) -> None:
    for case, finish in (("S-1", "stop"), ("S-1", "stop"), ("S-2", "stop"), ("S-3", "error")):
        store.append(made(case=case, finish=finish))
    assert answers_by_study(store.engine) == {"S-1": 2, "S-2": 1}


def test_a_record_is_never_written_twice(store: RecordStore) -> None:
    record = send(prepared(), FakeModel())
    assert store.append_many([record, record]) == 1
    assert store.append_many([record]) == 0
    with pytest.raises(Exception, match=r"(?i)unique"):
        store.append(replace(record, raw="other"))
    assert store.read().records[0].raw == record.raw


def test_a_record_that_cannot_be_read_costs_only_itself(store: RecordStore) -> None:
    records = [send(prepared(), FakeModel(answer=letter)) for letter in "ABC"]
    store.append_many(records)
    with store.writing.begin() as connection:
        change = text("UPDATE documents SET document = '{}' WHERE id = :id")
        connection.execute(change, {"id": records[1].id})
    stored = store.read()
    assert [record.id for record in stored.records] == [records[0].id, records[2].id]
    assert [problem.file for problem in stored.problems] == ["record 2"]


def test_many_writers_lose_nothing(store: RecordStore) -> None:
    record = send(prepared(), FakeModel())
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda n: store.append(replace(record, id=str(n))), range(40)))
    assert {record.id for record in store.read().records} == {str(n) for n in range(40)}


WRITER = """
import sys
from dataclasses import replace
from pathlib import Path
from inference.ask import send
from inference.models.fake import FakeModel
from inference.record_store import RecordStore
from tests.inference.test_ask import prepared

store, record = RecordStore(Path(sys.argv[1])), send(prepared("text-only"), FakeModel())
for n in range(100_000):
    store.append(replace(record, id=str(n)))
    print(n, flush=True)
"""


def test_killing_the_process_loses_no_finished_answer(tmp_path: Path) -> None:
    command = [sys.executable, "-c", WRITER, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        while int(writer.stdout.readline()) < 30:
            pass
        writer.send_signal(signal.SIGKILL)
        said = [int(line) for line in writer.stdout.read().split("\n")[:-1]]
    store = RecordStore(tmp_path)
    stored = store.read()
    kept = [int(record.id) for record in stored.records]
    assert kept == list(range(len(kept)))
    assert len(kept) > max([30, *said])
    assert stored.problems == ()
    store.close()


def test_an_empty_store_has_no_records(store: RecordStore) -> None:
    assert store.read().records == ()
    assert store.find("0" * 64) is None


def test_an_ask_is_found_again_by_its_key(store: RecordStore) -> None:
    sent, model = prepared("multi-slice"), FakeModel()
    record = send(sent, model)
    assert record.key == key_of(sent, model) == record_from_json(record.to_json()).key
    store.append(record)
    found = store.find(key_of(sent, model))
    assert found is not None
    assert found.id == record.id
    assert store.known([record.key, "0" * 64]) == {record.key}


def test_what_decides_the_reply_decides_the_key() -> None:
    model, sent = FakeModel(), prepared()
    seeded = AskSettings(generation=GenerationSettings(seed=1))
    others = [
        key_of(prepared("blank"), model),
        key_of(prepared("text-only"), model),
        key_of(prepared(order=(0, 1, 2, 3)), model),
        key_of(prepared(settings=AskSettings(words=True)), model),
        key_of(prepared(settings=AskSettings(generate=False)), model),
        key_of(prepared(settings=seeded), model),
        key_of(replace(sent, question=replace(sent.question, id="q2")), model),
        key_of(sent, replace(model, name="fake:B")),
        key_of(sent, replace(model, revision="1")),
        key_of(sent, replace(model, dtype="float32")),
    ]
    assert len({key_of(sent, model), *others}) == len(others) + 1
    assert key_of(prepared(), model) == key_of(sent, model)


def test_a_failed_ask_is_made_again(store: RecordStore) -> None:
    store.append(send(prepared(), Failing()))
    store.append(send(prepared(), FakeModel(), cancelled=lambda: True))
    key = key_of(prepared(), FakeModel())
    assert len(store.read().records) == 2
    assert store.find(key) is None
    assert store.known([key]) == set()


def test_a_record_is_found_by_the_beginning_of_its_id(store: RecordStore) -> None:
    record = send(prepared(), FakeModel())
    store.append_many([replace(record, id=name) for name in ("abc1", "abc2", "xyz")])
    assert store.record("x").id == "xyz"
    for name, why in (("abc", "several begin"), ("%", "none begins"), ("", "''")):
        with pytest.raises(BadRecord, match=why):
            store.record(name)


def test_records_are_chosen_by_what_they_say(store: RecordStore) -> None:
    for letter in "AB":
        for name in ("single-slice", "text-only"):
            store.append(send(prepared(name), FakeModel(f"fake:{letter}", letter)))

    def count(**wanted: object) -> int:
        return len(store.select(RecordFilter(**wanted)))  # type: ignore[arg-type]

    assert count() == 4
    assert count(model=("fake:A",)) == 2
    assert count(model=("fake:A", "fake:B"), representation=("text-only",)) == 2
    assert count(score=("right",)) == 2
    assert count(text="WHERE") == 4
    assert count(text="both") == 2
    assert count(text="%") == 0


def test_a_line_of_another_kind_is_refused() -> None:
    with pytest.raises(BadRecord):
        record_from_json(json.loads('{"id": "1"}'))


@pytest.mark.parametrize("url", ["nonsense", "postgresql://nobody:secret@127.0.0.1:1/none"])
def test_a_database_that_is_none_is_refused_in_one_sentence(url: str, tmp_path: Path) -> None:
    with pytest.raises(NoDatabase, match="Expected a database at") as refusal:
        RecordStore(tmp_path, url).read()
    assert "secret" not in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_the_folder_is_the_users(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(DATA_VARIABLE, str(tmp_path))
    assert data_folder() == tmp_path
    assert database_url(tmp_path) == f"sqlite:///{tmp_path}/records.sqlite"
    monkeypatch.setenv(URL_VARIABLE, "postgresql://group/records")
    assert database_url(tmp_path) == "postgresql://group/records"
    monkeypatch.delenv(DATA_VARIABLE)
    assert data_folder().name == "mri-vqa-viewer"
    assert os.fspath(data_folder()) != os.fspath(tmp_path)
