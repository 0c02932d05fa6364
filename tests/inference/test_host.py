"""One resident model, asked by one session at a time."""

from __future__ import annotations

import threading
import time

import pytest

from inference.host import ModelHost
from inference.models import fake
from inference.models.errors import ModelUnavailable
from inference.models.protocol import GenerationSettings, Model
from tests.inference.models.checkpoints import prompt
from viewer.errors import UnknownName


def ask(model: Model) -> str:
    return model.generate(prompt(), GenerationSettings(), lambda text: None, lambda: False).text


def test_an_empty_host_says_so() -> None:
    assert ModelHost().status().state == "empty"


def test_the_loaded_model_answers_and_is_described() -> None:
    host = ModelHost()
    model = host.load("fake:B")
    assert '"B"' in ask(model)
    status = host.status()
    assert (status.state, status.name) == ("ready", "fake:B")
    assert (model.name, model.card) == ("fake:B", status.card)


def test_loading_another_frees_the_first_and_the_old_handle_says_so() -> None:
    host = ModelHost()
    first = host.load("fake:A")
    assert '"A"' in ask(first)
    host.load("fake:B")
    with pytest.raises(ModelUnavailable, match=r"fake:A .* load it again"):
        ask(first)


def test_freeing_empties_it() -> None:
    host = ModelHost()
    model = host.load("fake")
    host.free()
    assert host.status().state == "empty"
    with pytest.raises(ModelUnavailable):
        model.score_options(prompt())


def test_a_model_that_cannot_be_loaded_leaves_the_host_empty(tmp_path: object) -> None:
    host = ModelHost()
    host.load("fake")
    with pytest.raises(ModelUnavailable):
        host.load(str(tmp_path))
    assert host.status().state == "empty"
    with pytest.raises(UnknownName):
        host.load("no such model")


def test_two_sessions_are_answered_one_after_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    busy, overlaps = threading.Event(), []
    plain = fake.FakeModel.generate

    def slow(self: fake.FakeModel, *arguments: object) -> object:
        overlaps.append(busy.is_set())
        busy.set()
        time.sleep(0.05)
        busy.clear()
        return plain(self, *arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(fake.FakeModel, "generate", slow)
    host = ModelHost()
    model = host.load("fake")
    threads = [threading.Thread(target=ask, args=(model,)) for _ in range(4)]
    for thread in threads:
        thread.start()
    time.sleep(0.02)
    status = host.status()
    assert status.state == "asked" and status.waiting >= 1
    for thread in threads:
        thread.join()
    assert overlaps == [False] * 4
    assert host.status().state == "ready"
