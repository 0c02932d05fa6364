from __future__ import annotations

import json
import logging

import pytest

from inference.ask import send
from inference.ask_log import LOGGER
from inference.models.fake import FakeModel
from tests.inference.test_ask import Failing, prepared


def test_every_ask_is_one_line_of_json(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, LOGGER)
    records = [
        send(prepared("multi-slice"), FakeModel()),
        send(prepared(), Failing(failure=RuntimeError)),
    ]
    lines = [r.getMessage() for r in caplog.records if r.name == LOGGER]
    told = [json.loads(line) for line in lines]
    assert [line["record"] for line in told] == [record.id for record in records]
    assert [line["finish"] for line in told] == ["stop", "error"]
    assert told[0]["pictures"] == len(records[0].pictures) > 1


def test_nothing_of_the_study_but_its_id_is_in_it(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, LOGGER)
    record = send(prepared("multi-slice"), FakeModel(answer="B"))
    line = next(r.getMessage() for r in caplog.records if r.name == LOGGER)
    assert record.case in line
    for content in (record.stem, *record.options, record.raw, record.prompt):
        assert content not in line
