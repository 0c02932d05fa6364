"""From a study and a question to a record, with a model that is known to the letter."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from inference.ask import ask, send
from inference.models.errors import UnfitPrompt
from inference.models.fake import FakeModel
from inference.models.protocol import Cancelled, GenerationSettings, OnText
from inference.orders import shuffled_order
from inference.pictures import PictureSettings
from inference.preparation import AskSettings, Prepared, prepare
from inference.prompts import Prompt
from inference.questions import Question
from inference.records import Record, record_from_json
from inference.replies import OptionScores, Reply
from inference.study_views import view_of_arrays
from tests.inference.studies import labelmap, stored_study, volumes
from viewer.cache import ArrayCache

QUESTION = Question("q1", "S-1", "Where?", ("Left", "Right", "Both", "Neither side"), 1, "location")
ORDER = (2, 1, 3, 0)
SCHEMA = {
    "case", "question_id", "stem", "options", "order", "representation", "model", "revision",
    "dtype", "answer", "probabilities", "letter_mass", "raw", "truth", "score", "seconds",
    "pictures",
}  # fmt: skip


def prepared(
    representation: str = "single-slice",
    order: tuple[int, ...] = ORDER,
    settings: AskSettings | None = None,
) -> Prepared:
    view = view_of_arrays("S-1", volumes(), labelmap())
    return prepare(view, QUESTION, order, representation, settings or AskSettings())


@dataclass(frozen=True)
class Failing(FakeModel):
    """Fails at generation, after it has scored."""

    failure: type[Exception] = RuntimeError

    def generate(
        self, prompt: Prompt, settings: GenerationSettings, on_text: OnText, cancelled: Cancelled
    ) -> Reply:
        raise self.failure("out of memory")


def test_the_document_is_the_command_lines() -> None:
    document = json.loads(json.dumps(send(prepared(), FakeModel(answer="B")).to_json()))
    assert set(document) >= SCHEMA
    assert document["order"] == list(ORDER)
    assert document["options"] == list(QUESTION.options)
    assert document["answer"]["index"] == 1
    assert document["answer"]["text"] == "Right"
    assert document["answer"]["status"] == "answered"
    assert document["truth"] == {"index": 1, "text": "Right"}
    assert document["score"] == "right"
    assert document["probabilities"] == [0.0, 1.0, 0.0, 0.0]
    assert len(document["pictures"]) == 1


@pytest.mark.parametrize("position", range(4))
def test_a_letter_is_mapped_back_by_the_order_that_was_sent(position: int) -> None:
    record = send(prepared(), FakeModel(answer="ABCD"[position]))
    assert record.answer.index == ORDER[position]
    assert record.score == ("right" if ORDER[position] == 1 else "wrong")
    assert record.scores is not None
    assert record.scores.probabilities.index(1.0) == ORDER[position]


def test_a_record_reads_back_as_it_was() -> None:
    for representation in ("single-slice", "montage", "text-only"):
        document = send(prepared(representation), FakeModel()).to_json()
        assert json.loads(json.dumps(document, allow_nan=False)) == document
        assert record_from_json(document).to_json() == document


def test_the_record_names_the_pictures_that_were_sent() -> None:
    sent = prepared("multi-slice")
    record = send(sent, FakeModel())
    assert [p["sha256"] for p in record.pictures] == [p.sha256 for p in sent.pictures]
    assert sent.prompt.pictures == sent.pictures
    assert record.prompt == sent.prompt.text
    assert record.slices["source"] == "expert"
    assert record.settings.convention == "radiological"


@pytest.mark.parametrize("failure", [RuntimeError, UnfitPrompt, MemoryError, OSError])
def test_a_model_that_fails_is_an_error_not_a_wrong_answer(failure: type[Exception]) -> None:
    record = send(prepared(), Failing(failure=failure))
    assert (record.answer.status, record.score) == ("error", "error")
    assert (record.answer.index, record.error) == (None, "out of memory")
    assert record.scores is not None


def test_a_bug_keeps_its_traceback() -> None:
    with pytest.raises(ZeroDivisionError):
        send(prepared(), Failing(failure=ZeroDivisionError))


def test_cancelling_before_a_word_is_no_answer() -> None:
    record = send(prepared(), FakeModel(), cancelled=lambda: True)
    assert record.finish == "cancelled"
    assert record.answer.index is None
    assert record.score == "unfinished"


def test_text_is_streamed_and_kept_unedited() -> None:
    pieces: list[str] = []
    raw = "<unused94>thought\nA?<unused95>**Answer: B**  \n"
    record = send(prepared(), FakeModel(answer=raw), on_text=pieces.append)
    assert "".join(pieces) == record.raw == raw
    assert record.thinking == "thought\nA?"
    assert record.answer.index == ORDER[1]


def test_scores_alone_give_an_answer_and_say_so() -> None:
    settings = AskSettings(generate=False)
    record = send(prepared(settings=settings), FakeModel(answer="D"))
    assert (record.answer.index, record.answer.rule) == (ORDER[3], "option probabilities")
    assert (record.raw, record.generation, record.substring_grade) == ("", None, None)


@pytest.mark.parametrize(
    ("probabilities", "status"),
    [((0.3, 0.3, 0.2, 0.2), "unparsed"), ((float("nan"),) * 4, "no answer")],
)
def test_scores_that_name_no_option_are_no_answer(
    probabilities: tuple[float, ...], status: str
) -> None:
    @dataclass(frozen=True)
    class Torn(FakeModel):
        def score_options(self, prompt: Prompt, *, words: bool = False) -> OptionScores | None:
            return OptionScores(probabilities, 1.0)

    record = send(prepared(settings=AskSettings(generate=False)), Torn())
    assert (record.answer.status, record.answer.index) == (status, None)


def test_no_probabilities_are_made_up() -> None:
    record = send(prepared(), FakeModel(answer="I see a tumor on the right."))
    assert record.scores is None
    document = record.to_json()
    assert document["probabilities"] is document["letter_mass"] is None


def ablated(answer: Callable[[str], FakeModel]) -> dict[str, Record]:
    return {
        name: send(prepared(name), answer(name)) for name in ("single-slice", "blank", "text-only")
    }


def test_blank_and_text_only_are_told_apart_in_the_record() -> None:
    records = ablated(lambda name: FakeModel(answer="B"))
    assert {record.answer.index for record in records.values()} == {1}
    assert len(records["blank"].pictures) == 1
    assert records["blank"].pictures[0]["sequence"] == "blank"
    assert records["text-only"].pictures == ()
    assert records["blank"].prompt == records["single-slice"].prompt
    assert records["blank"].pictures[0]["sha256"] != records["single-slice"].pictures[0]["sha256"]


def test_included_masks_are_in_the_record() -> None:
    settings = AskSettings(pictures=PictureSettings(include_masks=True))
    record = send(prepared(settings=settings), FakeModel())
    assert record.settings.include_masks
    assert all(picture["includes_mask"] for picture in record.pictures)
    assert record.mask == "seg.nii.gz"
    assert send(prepared(), FakeModel()).mask is None


def test_what_was_left_out_is_in_the_record(tmp_path: Path) -> None:
    study = stored_study(tmp_path)
    (tmp_path / "T1c.nii").write_bytes(b"not an image")
    order, cache = tuple(range(4)), ArrayCache(10**8)
    record = ask(study, QUESTION, order, "montage", AskSettings(), FakeModel(), cache)
    assert len(record.notes) == 1
    assert record.notes[0].startswith("T1c is left out: ")
    single = ask(study, QUESTION, order, "single-slice", AskSettings(), FakeModel(), cache)
    assert single.notes == ()


def test_a_study_on_disk_is_asked_in_one_call(tmp_path: Path) -> None:
    study, cache = stored_study(tmp_path), ArrayCache(10**8)
    order = shuffled_order(4, 5, QUESTION.id)
    record = ask(study, QUESTION, order, "montage", AskSettings(), FakeModel(), cache)
    assert (record.case, record.order) == ("S-1", order)
    other = ask(
        study, replace(QUESTION, answer=None), order, "text-only", AskSettings(), FakeModel(), cache
    )
    assert (other.score, other.truth, other.substring_grade) == ("no truth", None, None)
