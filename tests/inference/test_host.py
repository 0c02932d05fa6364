"""As many models as memory allows, asked by one session at a time."""

from __future__ import annotations

import threading
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from inference.errors import LeftTheLine
from inference.host import ModelHost
from inference.models import fake
from inference.models.entries import ModelEntry
from inference.models.errors import ModelUnavailable, OutOfMemory
from inference.models.machine import Machine
from inference.models.protocol import GenerationSettings, Model, Progress
from inference.models.readiness import GIB, fits_beside
from inference.residents import RULE, residents_html, with_what_can_be_freed
from tests.inference.models.checkpoints import prompt
from tests.inference.test_line import SOON_S, until
from viewer.errors import UnknownName

MACHINE = Machine("cpu", 8.0 * GIB, fast_bf16=False, token=False, offline=True)

COMPUTES_HERE = frozenset({"fake"})
"""The fake stands in for a model with weights, which is asked by one at a time."""


def ask(model: Model) -> str:
    return model.generate(prompt(), GenerationSettings(), lambda text: None, lambda: False).text


def names(host: ModelHost) -> list[str]:
    return [each.name for each in host.status().residents]


class Memory:
    """A machine with so many GiB; models of the fake's kind take `each` of them when loaded."""

    def __init__(self, total: float, each: float, patch: pytest.MonkeyPatch) -> None:
        self.free, self.each, self.loading = total, each, 0
        self.log: list[str] = []
        patch.setattr("inference.host.needed_bytes", lambda entry, machine: each * GIB)
        patch.setattr("inference.host.load_model", self.load)
        patch.setattr("inference.host.WEIGHED", COMPUTES_HERE)

    def machine(self) -> Machine:
        return replace(MACHINE, free_bytes=self.free * GIB)

    def load(self, entry: ModelEntry, progress: Progress) -> Any:
        self.loading += 1
        assert self.loading == 1, "two loads at once"
        time.sleep(0.02)
        self.free -= self.each
        self.log.append(f"loaded {entry.name}")
        self.loading -= 1
        return Held(self, entry.name)


class Held(fake.FakeModel):
    """A fake that holds memory until it is closed."""

    def __init__(self, memory: Memory, name: str) -> None:
        super().__init__(name)
        object.__setattr__(self, "memory", memory)

    def close(self) -> None:
        memory: Memory = self.memory  # type: ignore[attr-defined]
        memory.free += memory.each
        memory.log.append(f"closed {self.name}")


def test_an_empty_host_says_so() -> None:
    assert ModelHost().status().state == "empty"
    assert "No model is in memory" in residents_html(ModelHost().status())


def test_the_loaded_model_answers_and_is_described() -> None:
    host = ModelHost()
    model = host.load("fake:B")
    assert '"B"' in ask(model)
    status = host.status()
    (resident,) = status.residents
    assert (status.state, resident.name) == ("ready", "fake:B")
    assert (model.name, model.card) == ("fake:B", resident.card)


def test_models_stay_while_the_next_fits_and_the_one_used_longest_ago_goes_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    memory = Memory(7.5, 3.0, monkeypatch)  # two of 3 GiB, and the 1 GiB that is kept free
    host = ModelHost(machine=memory.machine)
    first = host.load("fake:A")
    host.load("fake:B")
    assert names(host) == ["fake:B", "fake:A"] and memory.free == 1.5
    ask(first)
    host.load("fake:C")
    assert names(host) == ["fake:C", "fake:A"]
    assert memory.log[-2:] == ["closed fake:B", "loaded fake:C"]
    host.load("fake:A")
    assert memory.log[-1] == "loaded fake:C", "what is in memory is not loaded again"
    assert names(host) == ["fake:A", "fake:C"]


def test_one_alone_where_two_do_not_fit_and_the_old_handle_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    memory = Memory(6.9, 3.0, monkeypatch)
    host = ModelHost(machine=memory.machine)
    first = host.load("fake:A")
    host.load("fake:B")
    assert memory.log == ["loaded fake:A", "closed fake:A", "loaded fake:B"]
    with pytest.raises(ModelUnavailable, match=r"fake:A .* load it again"):
        ask(first)


def test_two_loads_never_run_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    memory = Memory(20.0, 3.0, monkeypatch)
    host = ModelHost(machine=memory.machine)
    threads = [threading.Thread(target=host.load, args=(f"fake:{n}",)) for n in "ABCD"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(names(host)) == ["fake:A", "fake:B", "fake:C", "fake:D"]


@pytest.mark.parametrize(
    ("needed", "free", "fits"),
    [
        (0.0, None, True),
        (None, 100 * GIB, False),
        (2 * GIB, None, False),
        (2 * GIB, 3 * GIB, True),
        (2 * GIB, 3 * GIB - 1, False),
    ],
)
def test_the_rule_in_numbers(needed: float | None, free: float | None, fits: bool) -> None:
    assert fits_beside(needed, replace(MACHINE, free_bytes=free)) is fits
    assert "1.2 times" in RULE and "1 GiB" in RULE


def test_running_out_beside_others_frees_them_and_loads_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    memory = Memory(20.0, 3.0, monkeypatch)
    host = ModelHost(machine=memory.machine)
    host.load("fake:A")
    told: list[str] = []

    def load(entry: ModelEntry, progress: Progress) -> Any:
        if memory.free < 20.0:
            raise OutOfMemory("Expected enough memory, but it ran out; free some.")
        return memory.load(entry, progress)

    monkeypatch.setattr("inference.host.load_model", load)
    host.load("fake:B", lambda share, text: told.append(text))
    assert names(host) == ["fake:B"] and any("they are freed" in text for text in told)
    host.free()
    memory.free = 5.0
    with pytest.raises(OutOfMemory):
        host.load("fake:C")
    assert host.status().state == "empty"


def test_each_can_be_freed_and_all_of_them() -> None:
    host = ModelHost()
    models = [host.load(f"fake:{letter}") for letter in "ABC"]
    html = residents_html(host.status())
    assert html.count("data-free=") == 3
    host.free("fake:B")
    assert names(host) == ["fake:C", "fake:A"]
    with pytest.raises(ModelUnavailable):
        models[1].score_options(prompt())
    assert '"A"' in ask(models[0])
    host.free()
    assert host.status().state == "empty"


def test_what_is_in_memory_counts_as_free_for_the_next() -> None:
    host = ModelHost()
    host.load("fake")
    (one,) = host.status().residents
    machine = with_what_can_be_freed(MACHINE, [replace(one, bytes=2.0 * GIB)])
    assert machine.free_bytes == 10.0 * GIB


def test_a_load_that_cannot_be_frees_nothing(tmp_path: Path) -> None:
    host = ModelHost()
    host.load("fake")
    with pytest.raises(ModelUnavailable):
        host.load(str(tmp_path))
    with pytest.raises(UnknownName):
        host.load("no such model")
    assert names(host) == ["fake"]


def test_two_sessions_are_answered_one_after_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    busy, gate, overlaps = threading.Event(), threading.Event(), []
    plain = fake.FakeModel.generate

    def slow(self: fake.FakeModel, *arguments: object) -> object:
        overlaps.append(busy.is_set())
        busy.set()
        assert gate.wait(SOON_S)
        time.sleep(0.05)
        busy.clear()
        return plain(self, *arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(fake.FakeModel, "generate", slow)
    monkeypatch.setattr("inference.host.WEIGHED", COMPUTES_HERE)
    host = ModelHost()
    model = host.load("fake")
    threads = [threading.Thread(target=ask, args=(model,)) for _ in range(4)]
    for thread in threads:
        thread.start()
    until(lambda: host.status().state == "asked" and host.status().waiting == 3)
    gate.set()
    for thread in threads:
        thread.join()
    assert overlaps == [False] * 4
    assert host.status().state == "ready"


def test_who_asks_a_model_that_computes_elsewhere_does_not_wait() -> None:
    host = ModelHost()
    model = host.load("fake")
    with host.turn("asked"):
        answered = threading.Event()
        threading.Thread(target=lambda: (ask(model), answered.set())).start()
        assert answered.wait(SOON_S)
        again = threading.Event()
        threading.Thread(target=lambda: (host.load("fake"), again.set())).start()
        assert again.wait(SOON_S)


def test_whoever_waits_for_a_model_knows_the_place_and_may_leave(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("inference.host.WEIGHED", COMPUTES_HERE)
    host, told, gone, left = ModelHost(), [], threading.Event(), threading.Event()

    def wait() -> None:
        try:
            with host.serving("fake", lambda share, text: told.append(text), gone.is_set):
                pytest.fail("was served")
        except LeftTheLine:
            left.set()

    with host.serving("fake"):
        threading.Thread(target=wait, daemon=True).start()
        while not told:
            time.sleep(0.01)
        gone.set()
        assert left.wait(SOON_S)
    assert told == ["1 before you"]
    with host.serving("fake") as model:
        assert ask(model)
