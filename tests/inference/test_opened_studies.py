"""A study that a page opened itself is treated as a listed one is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from inference.choices import Choices
from inference.desk import Desk
from inference.host import ModelHost
from inference.models.table import DEFAULT_MODEL
from inference.possible import reasons
from inference.questions import QuestionSet
from inference.record_store import RecordStore
from inference.shown_slices import recorded_slices
from segmentation.store import MaskStore
from tests.inference.studies import stored_study
from tests.inference.test_ask import QUESTION
from viewer.cache import ArrayCache
from viewer.catalogue import Catalogue
from viewer.session_files import SessionFiles

OPENED = "mine~1"


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """Nothing is listed; one session opened a study without FLAIR."""
    files, cache = SessionFiles(tmp_path / "opened"), ArrayCache(10**8)
    whole = stored_study(tmp_path / "mine")
    names = tuple(each for each in whole.sequences if each.name != "FLAIR")
    files.session(files.begin("page")).studies[OPENED] = replace(whole, id=OPENED, sequences=names)
    questions = QuestionSet((replace(QUESTION, study_id=OPENED),))
    records = RecordStore(tmp_path / "records")
    masks = MaskStore(tmp_path / "masks", cache)
    yield Desk(Catalogue((), ()), questions, cache, masks, ModelHost(), records, files)
    records.close()
    files.close()


def test_what_it_cannot_give_is_greyed_out_with_the_reason(desk: Desk) -> None:
    found = reasons(desk.study, OPENED, [DEFAULT_MODEL], ())
    assert found["single-slice"] == "is shown FLAIR in single-slice, which this study has not"
    assert found["multi-slice"] is None
    assert not any(reasons(desk.study, "closed~2", [DEFAULT_MODEL], ()).values())


def test_its_answer_leads_to_the_slices_that_were_shown(desk: Desk) -> None:
    record = desk.ask(Choices(OPENED, QUESTION.id, "multi-slice", "fake:B"))
    shown = recorded_slices(desk.study, record.to_json())
    assert {one.sequence for one in shown.slices} == {"T1", "T1c", "T2"}
