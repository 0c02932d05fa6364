"""Prompts: messages as data, with the letters and the order they bind.

The order of parts is the one that model cards ask for: the instruction, then
each picture followed by its caption, the question last. So one encoded prefix
of pictures serves every question about them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from inference.errors import UnusableQuestion
from inference.orders import Order, check_order
from inference.pictures import Picture
from inference.questions import Question

Role = Literal["system", "user", "assistant"]
Part = str | Picture

MARKS = {"letters": "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "digits": "123456789"}
"""What stands before an option, by style. Digits are the benchmark's own."""

SIDES = {
    "radiological": "The patient's right is on the left of each picture.",
    "neurological": "The patient's right is on the right of each picture.",
}


@dataclass(frozen=True)
class PromptStyle:
    """What models differ in.

    `option` places `{mark}` and `{text}` (some small models bind better with
    the letter after the choice). `answer_start` is how a reply begins before
    the mark: option scoring reads the next token's probabilities after it.
    """

    caption_place: Literal["after", "before", "none"] = "after"
    marks: Literal["letters", "digits"] = "letters"
    option: str = "{mark}) {text}"
    instruction: str = "Answer the multiple-choice question about this patient's brain MRI."
    say_sides: bool = True
    request: str = 'Reply with JSON only: {"answer": "<letter>", "reason": "<one sentence>"}'
    answer_start: str = '{"answer": "'


@dataclass(frozen=True)
class Message:
    """One turn: texts and pictures in the order that the model reads them."""

    role: Role
    parts: tuple[Part, ...]


@dataclass(frozen=True)
class Prompt:
    """What is sent. `letters[p]` marks the option shown at position `p`.

    `options_shown[p]` is its text and `order[p]` its original index. `stem` is
    the bare question, for models that read no chat.
    """

    messages: tuple[Message, ...]
    letters: tuple[str, ...]
    options_shown: tuple[str, ...]
    order: Order
    answer_start: str = '{"answer": "'
    stem: str = ""

    @property
    def pictures(self) -> tuple[Picture, ...]:
        """Every picture in the order that it is sent."""
        return tuple(
            part for message in self.messages for part in message.parts if isinstance(part, Picture)
        )

    @property
    def text(self) -> str:
        """The words, with `<picture n>` where a picture stands."""
        lines, seen = [], 0
        for message in self.messages:
            for part in message.parts:
                if isinstance(part, Picture):
                    seen += 1
                    lines.append(f"<picture {seen}>")
                else:
                    lines.append(part)
        return "\n".join(lines)


def build_prompt(
    question: Question, order: Order, pictures: Sequence[Picture], style: PromptStyle
) -> Prompt:
    """The prompt for one question in one order.

    Without pictures there is no picture part, no caption and no sentence about
    sides; the question's words are the same. `UnusableQuestion` where the row
    has no options, `BadOrder` where `order` does not fit them.
    """
    if len(question.options) < 2:
        raise UnusableQuestion(
            f"Expected a question with options, but question {question.id} has "
            f"{len(question.options)}; correct its row in the question file."
        )
    check_order(order, len(question.options))
    marks = MARKS[style.marks][: len(order)]
    shown = tuple(question.options[index] for index in order)
    parts = (_opening(pictures, style), *_with_captions(pictures, style))
    return Prompt(
        messages=(Message("user", (*parts, _asked(question.stem, marks, shown, style))),),
        letters=tuple(marks),
        options_shown=shown,
        order=order,
        answer_start=style.answer_start,
        stem=question.stem,
    )


def _opening(pictures: Sequence[Picture], style: PromptStyle) -> str:
    if not pictures or not style.say_sides:
        return style.instruction
    return f"{style.instruction} {SIDES[pictures[0].convention]}"


def _with_captions(pictures: Sequence[Picture], style: PromptStyle) -> list[Part]:
    parts: list[Part] = []
    for picture in pictures:
        pair: list[Part] = [picture]
        if picture.caption and style.caption_place != "none":
            pair.insert(1 if style.caption_place == "after" else 0, picture.caption)
        parts += pair
    return parts


def _asked(stem: str, marks: str, shown: Sequence[str], style: PromptStyle) -> str:
    pairs = zip(marks, shown, strict=True)
    options = [style.option.format(mark=mark, text=text) for mark, text in pairs]
    mark_name = "<digit>" if style.marks == "digits" else "<letter>"
    request = style.request.replace("<letter>", mark_name)
    return "\n".join([stem, *options, *([request] if request else [])])
