from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import create_engine, event, text

from inference.ask import send
from inference.choices import Choices
from inference.desk import Desk
from inference.errors import DatabaseFault, NotKept
from inference.host import ModelHost
from inference.models.fake import FakeModel
from inference.questions import Question, QuestionSet
from inference.record_store import RecordStore
from segmentation.store import MaskStore
from tests.inference.studies import stored_study
from tests.inference.test_ask import prepared
from viewer.cache import ArrayCache
from viewer.catalogue import Catalogue


def file_of(store: RecordStore) -> Path:
    assert store.engine.url.database is not None
    return Path(store.engine.url.database)


@pytest.fixture
def kept(tmp_path: Path) -> RecordStore:
    """A store on SQLite with one record."""
    store = RecordStore(tmp_path / "data")
    store.append(send(prepared(), FakeModel()))
    return store


def always(store: RecordStore, pragma: str) -> None:
    """Every connection from now on is opened with that setting."""
    event.listen(store.engine, "connect", lambda c, _: c.execute(f"PRAGMA {pragma}"))
    store.close()


def fill(store: RecordStore) -> None:
    always(store, "max_page_count=1")


def lock(store: RecordStore) -> None:
    always(store, "busy_timeout=50")
    other = sqlite3.connect(file_of(store), isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    event.listen(store.engine, "engine_disposed", lambda _: other.close())


def damage(store: RecordStore) -> None:
    store.close()
    for beside in file_of(store).parent.glob("*.sqlite-*"):
        beside.unlink()
    whole = file_of(store).read_bytes()
    file_of(store).write_bytes(whole[:100] + bytes(len(whole) - 100))


def remove(store: RecordStore) -> None:
    file_of(store).rename(file_of(store).with_suffix(".moved"))


@pytest.mark.parametrize(
    ("harm", "said"),
    [(fill, "full"), (lock, "locked"), (damage, "malformed"), (remove, "got nothing; put it back")],
)
def test_each_fault_is_one_sentence(
    kept: RecordStore, harm: Callable[[RecordStore], None], said: str
) -> None:
    harm(kept)
    with pytest.raises(DatabaseFault, match=said) as caught:
        kept.append(send(prepared(), FakeModel(answer="B" * 100_000)))
    assert "\n" not in str(caught.value)
    kept.close()


def test_after_the_fault_everything_kept_before_is_there(kept: RecordStore) -> None:
    before = kept.read().records
    remove(kept)
    with pytest.raises(DatabaseFault):
        kept.append(send(prepared(), FakeModel()))
    file_of(kept).with_suffix(".moved").rename(file_of(kept))
    fresh = send(prepared(), FakeModel(answer="B"))
    kept.append(fresh)
    assert [record.id for record in kept.read().records] == [before[0].id, fresh.id]
    kept.close()


def test_a_file_put_in_its_place_is_opened_at_the_next_use(kept: RecordStore) -> None:
    copy = file_of(kept).with_suffix(".copy")
    with kept.engine.connect() as connection:
        connection.execute(text("SELECT 1"))
    kept.close()
    shutil.copy(file_of(kept), copy)
    assert len(kept.read().records) == 1  # a connection is open again
    copy.replace(file_of(kept))
    with pytest.raises(DatabaseFault, match="another file"):
        kept.append(send(prepared(), FakeModel()))
    kept.append(send(prepared(), FakeModel()))
    assert len(kept.read().records) == 2
    kept.close()


def test_a_server_that_was_restarted_is_connected_to_again(store: RecordStore) -> None:
    store.append(send(prepared(), FakeModel()))
    if store.engine.dialect.name == "postgresql":
        others = "FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
        ended = f"SELECT pg_terminate_backend(pid) {others} AND datname = current_database()"
        server = create_engine(store.engine.url)
        with server.connect() as connection:
            connection.execute(text(ended))
        server.dispose()
    store.append(send(prepared(), FakeModel()))
    assert len(store.read().records) == 2


def test_an_answer_that_cannot_be_kept_is_not_lost(tmp_path: Path, kept: RecordStore) -> None:
    cache = ArrayCache(10**8)
    question = Question("q", "S-1", "Where?", ("Left", "Right", "Both", "Neither"), 0)
    desk = Desk(
        Catalogue((stored_study(tmp_path),), ()),
        QuestionSet((question,)),
        cache,
        MaskStore(tmp_path / "masks", cache),
        ModelHost(),
        kept,
    )
    remove(kept)
    with pytest.raises(NotKept, match=r"could not be kept .* put it back") as caught:
        desk.ask(Choices("S-1", "q", "single-slice", "fake:A"))
    assert caught.value.record.answer.text == "Left"
    kept.close()
