"""Many users at once: nobody gets another's answer, and nobody holds up the others."""

from __future__ import annotations

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from inference.choices import Choices
from inference.database import DATA_VARIABLE
from inference.record_store import RecordStore
from inference.representations import represent
from inference.study_views import view_of_study
from tests.crowd import StuckServer, Visitor, Wish, stuck_server, write_studies
from tests.serving import served
from viewer.cache import ArrayCache
from viewer.catalogue import find_studies

USERS = 20
WAIT_S = 240
"""Generous: twenty sessions are opened on a machine that may be busy."""

WISHES = [Wish(number) for number in range(1, USERS + 1)]

pytestmark = pytest.mark.server


@pytest.fixture(scope="module")
def stuck() -> Iterator[StuckServer]:
    yield from stuck_server()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("crowd")


@pytest.fixture(scope="module")
def url(folder: Path, stuck: StuckServer) -> Iterator[str]:
    questions = write_studies(folder / "studies", WISHES)
    environment = {DATA_VARIABLE: str(folder / "data"), "MRI_VQA_SERVER_URL": stuck.url}
    command = ["--data", str(folder / "studies"), "--questions", str(questions)]
    with served(folder, *command, environment=environment) as running:
        yield running.address


@pytest.fixture(scope="module")
def crowd(url: str) -> list[Visitor]:
    with ThreadPoolExecutor(5) as pool:
        return list(pool.map(lambda _: Visitor(url), range(USERS)))


def own_words(card: str) -> set[str]:
    return set(re.findall(r"own[0-9a-f]{8}", card))


def test_twenty_users_get_each_their_own_answer(
    crowd: list[Visitor], folder: Path, url: str
) -> None:
    jobs = [visitor.ask(wish) for visitor, wish in zip(crowd, WISHES, strict=True)]
    for job, wish in zip(jobs, WISHES, strict=True):
        card = str(job.result(timeout=WAIT_S))
        assert own_words(card) == {wish.word}
    records = {record.case: record for record in RecordStore(folder / "data").read().records}
    assert set(records) == {wish.case for wish in WISHES}
    catalogue, cache = find_studies([folder / "studies"]), ArrayCache(2**27)
    for wish in WISHES:
        record = records[wish.case]
        choices = Choices(wish.case, wish.word, wish.representation, wish.model)
        view = view_of_study(catalogue.study(wish.case), cache, choices.slice_from, None, None)
        pictures = represent(wish.representation, view, choices.settings(), None)
        assert [p["sha256"] for p in record.pictures] == [p.sha256 for p in pictures]
        chosen = record.options["ABCD".index(wish.letter)]
        assert (record.model, record.answer.text) == (wish.model, chosen)
    hashes = [tuple(p["sha256"] for p in record.pictures) for record in records.values()]
    assert len(set(hashes)) == USERS


def test_a_stuck_server_and_a_vanished_user_hold_up_nobody(
    crowd: list[Visitor], stuck: StuckServer
) -> None:
    slow = crowd[0].ask(WISHES[0], model="server:stuck")
    assert stuck.asked.wait(WAIT_S)
    crowd[1].ask(WISHES[1], model="server:stuck").cancel()
    others = [visitor.ask(wish) for visitor, wish in zip(crowd[2:8], WISHES[2:8], strict=True)]
    for job, wish in zip(others, WISHES[2:8], strict=True):
        assert own_words(str(job.result(timeout=WAIT_S))) == {wish.word}
    assert not slow.done()
    stuck.let_go.set()
    assert "503" in str(slow.result(timeout=WAIT_S))
