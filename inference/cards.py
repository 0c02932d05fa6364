"""What the page says about a question, an answer and the pictures behind it, as HTML.

Every text passes Jinja's escaping: a question, an option or a reply is shown,
never run. The functions take plain values and return strings; they know no
Gradio.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from typing import Any

from inference.disagreement import disagreement_lines
from inference.html import render_html
from inference.models.table import model_entry
from inference.orders import Order
from inference.picture_files import png_bytes
from inference.pictures import Picture
from inference.prompts import MARKS, Prompt
from inference.questions import Question
from inference.shown_slices import ShownSlices
from viewer.errors import UserError
from viewer.planes import edges, plane_named

LOW_MASS = 0.5
"""Under this share of the vocabulary on the letters, their ranking means little."""

VERDICTS = {
    "right": ("right", "right"),
    "wrong": ("wrong", "wrong"),
}
"""Score -> (badge text, tone). Any other status is shown by its own name, in grey."""

Fields = Mapping[str, Any]
"""A record as `Record.to_json` gives it."""


_BARE: Fields = {
    "status": "asking", "verdict": "", "tone": "neutral", "heading": "", "options": (),
    "lines": (), "raw": None, "streamed": "", "thinking": None,
}  # fmt: skip
"""A card with nothing on it yet."""


def question_card(question: Question, order: Order, truth_shown: bool) -> str:
    """The question with its options in the order and under the letters that are sent."""
    return render_html(
        "question.html",
        question=question,
        order=order,
        letters=MARKS["letters"],
        truth_shown=truth_shown,
    )


def answer_card(record: Fields, truth_shown: bool, shown: ShownSlices | None = None) -> str:
    """One record: what was answered, how sure, and, where it may be shown, the truth.

    `shown` are the slices that its pictures are of.
    """
    return render_html("answer.html", card=_answer_values(record, truth_shown), shown=shown)


def waiting_card(text: str, state: str) -> str:
    """The reply as it comes in, before there is an answer."""
    card = {**_BARE, "verdict": state, "streamed": text}
    return render_html("answer.html", card=card, shown=None)


def problem_card(sentence: str) -> str:
    """An ask that could not be made, in one sentence."""
    values = {"status": "error", "verdict": "not asked", "tone": "wrong", "heading": sentence}
    return render_html("answer.html", card={**_BARE, **values}, shown=None)


def ablation_card(asked: Fields, without: Sequence[Fields], truth_shown: bool) -> str:
    """The answer beside what the same model says without the picture."""
    rows = [_ablation_row(record) for record in (asked, *without)]
    return render_html(
        "ablation.html",
        heading="With and without the picture",
        rows=rows,
        truth_shown=truth_shown,
        note=_same_answer_note(asked, without),
    )


def picture_strip(
    pictures: Sequence[Picture],
    prompt: Prompt | None,
    source: str,
    shown: ShownSlices | None = None,
) -> str:
    """The very pictures of the prompt, as PNG inside the page, with captions and hashes."""
    count = len(pictures)
    heading = {0: "No picture is sent", 1: "1 picture is sent"}.get(
        count, f"{count} pictures are sent"
    )
    return render_html(
        "pictures.html",
        heading=heading,
        lines=[source] if source else [],
        pictures=[_picture_values(picture, alone=count == 1) for picture in pictures],
        text=prompt.text if prompt else "",
        shown=shown,
    )


def _picture_values(picture: Picture, alone: bool) -> dict[str, Any]:
    name = f"{picture.sequence} {picture.plane}"
    return {
        "name": name if picture.index is None else f"{name} {picture.index}",
        "caption": picture.caption,
        "source": "data:image/png;base64," + base64.b64encode(png_bytes(picture)).decode(),
        "sha256": picture.sha256,
        "width": picture.width,
        "height": picture.height,
        "wide": alone or bool(picture.tiles),
        "place": picture.plane if picture.index is None else f"{picture.plane}_{picture.index}",
        "sides": _sides(picture),
    }


def _sides(picture: Picture) -> dict[str, str] | None:
    """Which side of the patient each side of a slice is; montages carry their own letters."""
    if picture.tiles or picture.window is None:
        return None
    shown = edges(plane_named(picture.plane), picture.convention)
    return {"left": shown.left, "right": shown.right, "convention": picture.convention}


def _answer_values(record: Fields, truth_shown: bool) -> dict[str, Any]:
    status = record["answer"]["status"]
    verdict, tone = _verdict(record, truth_shown)
    return {
        **_BARE,
        "status": status,
        "verdict": verdict,
        "tone": tone,
        "heading": record["answer"]["text"] or _no_answer(record),
        "options": _option_values(record, truth_shown),
        "lines": _lines(record),
        "raw": record["raw"],
        "thinking": record["thinking"],
    }


def _verdict(record: Fields, truth_shown: bool) -> tuple[str, str]:
    if not truth_shown and record["score"] in VERDICTS:
        return "answered", "neutral"
    return VERDICTS.get(record["score"], (record["score"], "neutral"))


def _no_answer(record: Fields) -> str:
    return record.get("error") or "No option could be read from the reply."


def _option_values(record: Fields, truth_shown: bool) -> list[dict[str, Any]]:
    probabilities = record["probabilities"]
    truth = record["truth"]["index"] if record["truth"] else None
    return [
        {
            "letter": record["letters"][position],
            "text": record["options"][index],
            "percent": None if probabilities is None else round(100 * probabilities[index], 1),
            "chosen": index == record["answer"]["index"],
            "truth": truth_shown and index == truth,
        }
        for position, index in enumerate(record["order"])
    ]


def _lines(record: Fields) -> list[str]:
    revision = f" ({record['revision'][:12]})" if record["revision"] else ""
    dtype = f", {record['dtype']}" if record["dtype"] else ""
    lines = [
        f"{record['model']}{revision}{dtype} · {record['representation']} · "
        f"{record['seconds']:.1f} s · read by: {record['answer']['rule']}"
    ]
    lines.append(_whose(record["model"]))
    mass = record["letter_mass"]
    if record["probabilities"] is None:
        lines.append("Option probabilities: not available from this model.")
    elif mass is not None and mass < LOW_MASS:
        lines.append(f"The letters hold only {mass:.0%} of the probability: the bars mean little.")
    return [*lines, *disagreement_lines(record)]


def _whose(model: str) -> str:
    """What the model is, and where its card is."""
    try:
        entry = model_entry(model)
    except UserError:
        return f"{model}: no longer known here."
    return f"{entry.note} Card: {entry.card}"


def _ablation_row(record: Fields) -> dict[str, str]:
    index, probabilities = record["answer"]["index"], record["probabilities"]
    known = index is not None and probabilities is not None
    return {
        "representation": record["representation"],
        "answer": record["answer"]["text"] or record["answer"]["status"],
        "probability": f"{100 * probabilities[index]:.1f} %" if known else "not available",
        "verdict": record["score"],
    }


def _same_answer_note(asked: Fields, without: Sequence[Fields]) -> str:
    answer = asked["answer"]["index"]
    same = [r["representation"] for r in without if r["answer"]["index"] == answer]
    if answer is None or not without:
        return ""
    if not same:
        return "Without the picture the answer is another one."
    return f"Same answer without the image ({' and '.join(same)})."
