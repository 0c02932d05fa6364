"""What holds on the page whenever nothing is under way, whoever did whatever before."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from inference.choices import order_of
from inference.errors import BadOrder
from inference.matching import questions_about
from inference.questions import Question
from tests.benchmarks.monkey_page import Memory

LOOK = """() => {
  const one = (selector) => document.querySelector(selector);
  const text = (selector) => one(selector)?.textContent.trim() ?? null;
  const all = (selector, of) => [...document.querySelectorAll(selector)].map(of);
  const words = (node) => {
    const copy = node.cloneNode(true);
    copy.querySelectorAll(".letter, .tag, .percent, .bar").forEach((each) => each.remove());
    return copy.textContent.trim();
  };
  const off = (id) => one(`#${id}`)?.disabled ?? null;
  const run = (id, card) => {
    const found = one(`#${card} .card.compare, #${card} .card[data-of]`);
    return { run: off(`${id}-run`), cancel: off(`${id}-cancel`), there: Boolean(found),
      heading: found?.querySelector("h3").textContent.trim() ?? null,
      done: found?.dataset.done ?? null, of: found?.dataset.of ?? null,
      doing: found?.querySelector(".progress-line")?.textContent.trim() ?? "" };
  };
  return {
    progress: one("#mask-progress progress") && text("#mask-progress"),
    marked: one("#study-list [data-id][aria-current]")?.dataset.id ?? null,
    panes: mriPanes.study, loading: all(".pane:not([hidden])[data-status=loading]", () => 1).length,
    heading: text("#study-about h3")?.replaceAll("\\u200b", "") ?? null,
    input: window.modelInput, about: window.modelInput?.study ?? null,
    question: one("#question input")?.value ?? null,
    stem: text("#question-card h3"), options: all("#question-card li", words),
    told: all("#question-card .truth", words), truth: one("#truth input").checked,
    order: one("#order input:checked")?.value ?? null, seed: one("#seed input")?.value ?? "0",
    representation: one("#representation input:checked")?.value ?? null,
    masks: one("#include-masks input")?.checked ?? null,
    slice: one("#slice-from input")?.value ?? null, model: one("#model input")?.value ?? null,
    captions: all("#model-input figcaption", (each) => each.textContent),
    pictures: all("#model-input img", (each) => each.dataset.sha256),
    said: text("#model-input"),
    answer: one("#answer .answer")?.dataset.status ?? null,
    answered: all("#answer li", words), answerTold: all("#answer .truth", words),
    answerButton: { ...one("#answer button[data-slices]")?.dataset },
    table: text("#ablation .card, #ablation table"), ask: off("ask"), cancel: off("cancel"),
    compareStem: text("#compare-about h3"), compareTold: all("#compare-about .truth", words),
    compareTruth: one("#compare-truth input")?.checked ?? null,
    grid: run("compare", "compare-grid"), ablations: run("ablations", "ablation-table"),
    states: all("#compare-grid [data-cell]", (each) => each.dataset.state),
    verdicts: all("#compare-grid .cell.right, #compare-grid .cell.wrong", () => 1).length,
    places: all("#compare-grid [data-cell]", (each) => {
      const row = each.closest("tr");
      const heads = [...each.closest("table").querySelectorAll("th[scope=col]")];
      const order = heads[[...row.children].indexOf(each.closest("td"))].textContent;
      return `${row.dataset.model} · ${row.dataset.representation} · ${order}`;
    }),
    pair: all("#compare-pair .pair-sides section > p.meta:first-child", (each) => each.textContent),
    record: one("#review-record .card[data-record]")?.dataset.record ?? null,
    form: one("#review-form form")?.dataset.record ?? null,
    reviewer: one("#review-form form")?.dataset.reviewer ?? null,
    named: one("#reviewer input, #reviewer textarea")?.value ?? null,
    toasts: all(".toast-body", (each) => each.textContent.trim()),
  };
}"""
"""The page as its user reads it."""

UNPLACED = ("blank", "text-only", "volume")
"""What shows no slice that a user could choose."""
PICTURES = {"single-slice": 1, "montage": 1, "multi-montage": 3, "blank": 1, "text-only": 0}


@dataclass
class Laws:
    """The questions as the files have them, and what was seen of the same choices before."""

    questions: tuple[Question, ...]
    seen: dict[tuple[Any, ...], tuple[str, ...]] = field(default_factory=dict)

    def broken(self, now: dict[str, Any], memory: Memory) -> list[str]:
        """A sentence for each law that does not hold."""
        laws = (_study, self._question, self._pictures, self._answer, self._compare, _pair, _review)
        found = [said for law in laws for said in law(now, memory)]
        return [*found, *(f"a message over the page: {said}" for said in now["toasts"])]

    def remembered(self, now: dict[str, Any]) -> list[str]:
        """Whether the same choices show the same pictures as ever."""
        names = ("marked", "representation", "masks", "slice", "model")
        key, pictures = tuple(now[name] for name in names), tuple(now["pictures"])
        if "sent by" in (now["slice"] or "") or self.seen.setdefault(key, pictures) == pictures:
            return []
        return [f"other pictures than before of {key}: {now['captions']}"]

    def _asked(self, now: dict[str, Any], memory: Memory) -> Question | None:
        """The question that the list of questions has chosen, where it is the study's."""
        name, _, stem = (now["question"] or "").partition(" · ")
        about = questions_about(now["marked"] or "", self.questions)
        if name == "your own" and stem in memory.typed:
            return Question(stem, now["marked"], stem, memory.typed[stem], None)
        return next((one for one in about if (one.id, one.stem) == (name, stem)), None)

    def _question(self, now: dict[str, Any], memory: Memory) -> Iterator[str]:
        asked = self._asked(now, memory)
        if asked is None:
            about = questions_about(now["marked"] or "", self.questions)
            if about or now["question"]:
                yield f"chosen: {now['question']!r}, which is no question about {now['marked']}"
            return
        if now["stem"] != asked.stem:
            yield f"the card asks {now['stem']!r}, chosen is {asked.stem!r}"
        name = str(int(now["seed"] or 0)) if now["order"] == "seed" else now["order"] or "original"
        own = asked.answer is None  # its id, which the file's shuffle of it hangs on, is not known
        try:
            expected = [asked.options[at] for at in order_of(asked, name)]
        except BadOrder:
            expected = list(asked.options)
        same = sorted(now["options"]) == sorted(expected) if own else now["options"] == expected
        if not same:
            yield f"the card's options are {now['options']}, expected {expected} ({name})"
        told = [asked.options[asked.answer]] if now["truth"] and asked.answer is not None else []
        if now["told"] != told:
            yield f"the card tells {now['told']}, expected {told} (truth {now['truth']})"
        if now["compareStem"] not in (None, asked.stem):
            yield f"Compare is about {now['compareStem']!r}, chosen is {asked.stem!r}"

    def _pictures(self, now: dict[str, Any], memory: Memory) -> Iterator[str]:
        if self._asked(now, memory) is None:
            return
        count = PICTURES.get(now["representation"])
        if count is not None and len(now["pictures"]) != count:
            yield f"{len(now['pictures'])} pictures: {now['representation']}, {now['said'][:80]!r}"
        if not now["captions"] and now["representation"] != "text-only":
            yield f"no picture for {now['representation']}: {now['said'][:80]!r}"
        by_user = "sent by" in (now["slice"] or "") and now["representation"] not in UNPLACED
        if by_user and "chosen on the screen" not in now["said"]:
            yield f"the slice is to be the screen's: {now['said'][:80]!r}"

    def _answer(self, now: dict[str, Any], memory: Memory) -> Iterator[str]:
        asked = self._asked(now, memory)
        if (now["ask"], now["cancel"]) != (False, True):
            yield f"Ask is off: {now['ask']}, Cancel is off: {now['cancel']}, and nothing runs"
        if memory.asked and now["answer"] is None:
            yield "Ask was pressed, and there is no answer"
        if now["answer"] == "asking":
            yield "an answer that still waits, and nothing runs"
        if asked is None or now["answer"] is None:
            if now["answer"] is None and now["table"]:
                yield f"a table without an answer: {now['table'][:80]!r}"
            return
        if now["answered"] and sorted(now["answered"]) != sorted(asked.options):
            yield f"the answer is about {now['answered']}, the question has {asked.options}"
        if now["answerButton"].get("study", now["marked"]) != now["marked"]:
            yield f"the answer is about {now['answerButton']['study']}, open is {now['marked']}"
        told = [asked.options[asked.answer]] if now["truth"] and asked.answer is not None else []
        if now["answered"] and now["answerTold"] != told:
            yield f"the answer tells {now['answerTold']}, expected {told} (truth {now['truth']})"

    def _compare(self, now: dict[str, Any], memory: Memory) -> Iterator[str]:
        asked = self._asked(now, memory)
        for name in ("grid", "ablations"):
            one = now[name]
            if one["run"] is not None and (one["run"], one["cancel"]) != (False, True):
                yield f"{name}: run is off: {one['run']}, Cancel is off: {one['cancel']}"
            if not one["there"]:
                continue
            about = f"{now['marked']} · {asked.stem if asked else ''}"
            if not one["heading"].startswith(about):
                yield f"{name} is of {one['heading']!r}, chosen is {about!r}"
            if one["done"] != one["of"] and "cancelled" not in one["doing"]:
                yield f"{name}: {one['done']} of {one['of']} done, nothing runs: {one['doing']!r}"
        if not now["compareTruth"] and (now["verdicts"] or now["compareTold"]):
            yield "Compare tells the truth that is hidden"
        if asked and asked.answer is not None and now["compareTruth"] and now["compareStem"]:
            if not now["compareTold"]:
                yield "Compare hides the truth that is to be shown"
            if "filled" in now["states"] and not now["verdicts"]:
                yield "the grid hides the truth that is to be shown"


def _study(now: dict[str, Any], memory: Memory) -> Iterator[str]:
    names = {"list": now["marked"], "panes": now["panes"], "heading": now["heading"]}
    if now["input"]:
        names["model input"] = now["about"]
    if len(set(names.values())) != 1:
        yield f"studies differ: {names}"
    if memory.study and memory.study != now["marked"]:
        yield f"the user went to {memory.study}, open is {now['marked']}"
    if now["progress"]:
        yield f"a segmentation that does not end: {now['progress']}"
    if now["loading"]:
        yield f"{now['loading']} panes still load"


def _pair(now: dict[str, Any], memory: Memory) -> Iterator[str]:
    last = memory.cells[-2:]
    if len(last) < 2 or not now["grid"]["there"]:
        return
    if max(last) < len(now["places"]):
        wanted = [now["places"][cell] for cell in last]
        if now["pair"] != wanted:
            yield f"side by side: {now['pair']}, clicked: {wanted}"


def _review(now: dict[str, Any], memory: Memory) -> Iterator[str]:
    if memory.record and now["record"] != memory.record:
        yield f"the record is {now['record']}, clicked: {memory.record}"
    if now["form"] and now["form"] != now["record"]:
        yield f"the form is about {now['form']}, the record is {now['record']}"
    if now["form"] and now["named"] and now["reviewer"] != now["named"]:
        yield f"the form is {now['reviewer']}'s, the reviewer is {now['named']}"
