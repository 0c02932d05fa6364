"""The grid is planned in order, filled through the desk, reused, cancelled and never stopped."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from inference.ask import send_many
from inference.choices import Choices, cyclic_names, order_of
from inference.comparison import Cell, Filled, Inputs, ablation_grid, default_grid, grid, run_cells
from inference.desk import Desk
from inference.errors import BadOrder
from inference.host import ModelHost
from inference.models.fake import FakeModel
from inference.models.protocol import Model
from inference.models.table import DEFAULT_MODEL
from inference.orders import cyclic_orders
from inference.prompts import Prompt
from inference.questions import Question, QuestionSet
from inference.record_store import RecordStore
from inference.replies import OptionScores
from inference.representations import REPRESENTATIONS
from inference.scored_asks import score_together
from segmentation.store import MaskStore
from tests.inference.studies import stored_study
from tests.inference.test_ask import QUESTION, prepared
from viewer.cache import ArrayCache
from viewer.catalogue import Catalogue

CHOICES = Choices("S-1", "q1", "multi-slice", "fake:B")


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    cache = ArrayCache(10**8)
    studies = (
        stored_study(tmp_path / "one"),
        replace(stored_study(tmp_path / "two"), id="S-2"),
    )
    made = Desk(
        catalogue=Catalogue(studies, ()),
        questions=QuestionSet((QUESTION, Question("q2", "S-2", "Which?", ("a", "b"), 0))),
        cache=cache,
        masks=MaskStore(tmp_path / "masks", cache),
        host=ModelHost(),
        records=RecordStore(tmp_path / "records"),
    )
    yield made
    made.records.close()


def test_the_default_grid_is_every_representation_in_every_cyclic_order(desk: Desk) -> None:
    cells = default_grid(CHOICES, 4)
    assert len(cells) == 28
    filled = run_cells(desk, cells)
    assert [one.cell for one in filled] == list(cells)
    assert {one.record.representation for one in filled if one.record} == set(REPRESENTATIONS)
    assert {one.record.order for one in filled if one.record} == set(cyclic_orders(4))
    assert all(one.record and one.record.raw == "" and one.record.scores for one in filled)


def test_cells_are_told_of_as_they_fill(desk: Desk) -> None:
    news: list[Filled | str] = []
    filled = run_cells(desk, default_grid(CHOICES, 4), news.append)
    assert [one for one in news if isinstance(one, Filled)] == list(filled)
    assert any(isinstance(one, str) and "montage" in one for one in news)


def test_what_was_asked_before_is_not_asked_again(desk: Desk) -> None:
    cells = default_grid(CHOICES, 4)
    first, second = run_cells(desk, cells), run_cells(desk, cells)
    assert not any(one.reused for one in first)
    assert all(one.reused for one in second)
    ids = [[one.record.id for one in run if one.record] for run in (first, second)]
    assert ids[0] == ids[1]
    assert len(desk.records.read().records) == 28


def test_an_ask_from_the_reading_page_counts(desk: Desk) -> None:
    asked = desk.ask(CHOICES)
    (cell,) = run_cells(desk, [Cell(CHOICES)])
    assert cell.reused and cell.record is not None
    assert cell.record.id == asked.id
    assert cell.record.answer.rule == "option probabilities"


def test_every_model_is_loaded_once_and_a_missing_one_costs_its_cells_only(desk: Desk) -> None:
    cells = grid(CHOICES, ["fake", "no-such-model", "fake:C"], ["montage"], cyclic_names(4))
    filled = run_cells(desk, cells)
    assert len(filled) == 12
    for one in filled:
        assert (one.record is None) == (one.cell.model == "no-such-model")
        assert bool(one.problem) == (one.record is None)
    answers = [one.record.answer.index for one in filled[-4:] if one.record]
    assert answers == [2, 3, 0, 1]


def test_cancel_leaves_the_rest_out(desk: Desk) -> None:
    seen: list[Filled] = []

    def tell(news: Filled | str) -> None:
        if isinstance(news, Filled):
            seen.append(news)

    filled = run_cells(desk, default_grid(CHOICES, 4), tell, lambda: len(seen) >= 4)
    assert len(filled) == len(seen) == 4


def test_cancel_leaves_the_line_while_somebody_else_is_answered(desk: Desk) -> None:
    cells = default_grid(replace(CHOICES, model=DEFAULT_MODEL), 4)
    busy, done, gone = threading.Event(), threading.Event(), threading.Event()
    said: list[Filled | str] = []

    def somebody_else() -> None:
        with desk.host.turn("asked"):
            busy.set()
            done.wait(60)

    def tell(news: Filled | str) -> None:
        said.append(news)
        if "1 before you" in str(news):
            gone.set()

    other = threading.Thread(target=somebody_else, daemon=True)
    other.start()
    assert busy.wait(60)
    try:
        assert run_cells(desk, cells, tell, gone.is_set) == ()
        assert gone.is_set() and not done.is_set()
    finally:
        done.set()
        other.join(60)
    assert desk.host.status().waiting == 0


def test_the_ablation_grid_holds_the_plain_ask_first(desk: Desk) -> None:
    cells = ablation_grid(desk, CHOICES, cyclic_names(4))
    assert {cell.ablation for cell in cells[:4]} == {None}
    assert sum(cell.ablation == "reshuffled" for cell in cells) == 1
    assert any(cell.ablation == "wrong-study:S-2" for cell in cells)
    filled = run_cells(desk, cells)
    assert not [one.problem for one in filled if one.problem]
    for one in filled:
        assert one.record is not None
        assert one.reused or one.record.ablation == one.cell.ablation


@pytest.mark.parametrize("ablation", [None, "mirrored", "as-published", "stem-random", "blank"])
def test_pictures_drawn_once_are_those_of_every_order(desk: Desk, ablation: str | None) -> None:
    cells = [Cell(replace(CHOICES, order=order), ablation) for order in cyclic_names(4)]
    inputs = Inputs(desk)
    first = inputs.prepare(cells[0])
    for cell in cells[1:]:
        again, anew = inputs.again(first, cell), inputs.prepare(cell)
        assert again.prompt.text == anew.prompt.text
        assert again.ablation == anew.ablation
        assert [p.sha256 for p in again.pictures] == [p.sha256 for p in anew.pictures]
        assert (again.ordering, again.prompt.order) == (anew.ordering, anew.prompt.order)


@dataclass(frozen=True)
class Together(FakeModel):
    """Counts how many prompts come at once."""

    sizes: tuple[list[int], ...] = ()

    def score_many(
        self, prompts: list[Prompt], *, words: bool = False
    ) -> list[OptionScores | None]:
        self.sizes[0].append(len(prompts))
        return [self.score_options(prompt) for prompt in prompts]


def test_equal_pictures_are_scored_at_once(tmp_path: Path) -> None:
    model, store = Together(sizes=([],)), RecordStore(tmp_path)
    asks = [prepared("montage", order) for order in cyclic_orders(4)]
    assert not any(ask.reused for ask in score_together(asks, model, store))
    assert model.sizes == ([4],)
    assert all(ask.reused for ask in score_together(asks[:2], model, store))
    store.close()


def test_the_default_grid_is_asked_in_one_go_for_each_representation(desk: Desk) -> None:
    model = Together(sizes=([],))

    class Host(ModelHost):
        @contextmanager
        def serving(self, *arguments: object) -> Iterator[Model]:
            yield model

    run_cells(replace(desk, host=Host()), default_grid(CHOICES, 4))
    assert model.sizes == ([4] * len(REPRESENTATIONS),)


def test_a_model_that_fails_gives_error_records_that_are_asked_again(tmp_path: Path) -> None:
    @dataclass(frozen=True)
    class Broken(FakeModel):
        def score_options(self, prompt: Prompt, *, words: bool = False) -> OptionScores | None:
            raise RuntimeError("out of memory")

    store = RecordStore(tmp_path)
    (ask,) = score_together([prepared()], Broken(), store)
    assert (ask.record.score, ask.record.error) == ("error", "out of memory")
    (again,) = score_together([prepared()], FakeModel(), store)
    assert not again.reused
    store.close()


@dataclass(frozen=True)
class Wordy(FakeModel):
    """Writes, and gives no probabilities, as many servers do."""

    def score_options(self, prompt: Prompt, *, words: bool = False) -> OptionScores | None:
        return None


def test_a_model_without_probabilities_is_asked_for_its_words_once(tmp_path: Path) -> None:
    store, asks = RecordStore(tmp_path), [prepared("montage", order) for order in cyclic_orders(4)]
    first = score_together(asks, Wordy(), store, reply_instead=True)
    assert [one.record.answer.status for one in first] == ["answered"] * 4
    assert not any(one.record.scores for one in first)
    assert len(store.read().records) == 4
    again = score_together(asks, Wordy(), store, reply_instead=True)
    assert all(one.reused for one in again)
    assert [one.record.id for one in again] == [one.record.id for one in first]
    silent = score_together(asks[:1], Wordy(), RecordStore(tmp_path / "two"))
    assert silent[0].record.raw == ""
    store.close()


def test_nothing_is_scored_for_whoever_cancelled_before() -> None:
    model = Together(sizes=([],))
    assert [*send_many([prepared("montage")], model, lambda: True)] == []
    assert model.sizes == ([],)


def test_cyclic_orders_have_names() -> None:
    names = cyclic_names(4)
    assert tuple(order_of(QUESTION, name) for name in names) == cyclic_orders(4)
    with pytest.raises(BadOrder, match="cyclic-3"):
        order_of(QUESTION, "cyclic-4")
