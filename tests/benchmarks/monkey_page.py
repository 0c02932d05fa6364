"""What a monkey can do to the page, one function a kind of act; each says what it did.

An act that is not possible now (its button is off, its page is another one)
does nothing and gives "". Clicks are made by script: a quick user's come as
close together as that.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from playwright.sync_api import Page

QUIET = """
window.asked = { begun: new Set(), over: new Set(), joining: 0, last: performance.now() };
{
  const { asked } = window;
  const at_once = window.fetch;
  const heard = (text) => {
    for (const [, json] of text.matchAll(/^data: (.*)$/gm)) {
      const { msg, event_id } = JSON.parse(json);
      if (msg === "process_completed") asked.over.add(event_id);
      if (msg !== "heartbeat") asked.last = performance.now();
    }
  };
  const listening = () => {
    let rest = "";
    const text = new TextDecoder();
    const transform = (part, out) => {
      const whole = (rest + text.decode(part, { stream: true })).split("\\n\\n");
      rest = whole.pop();
      whole.forEach(heard); // before the page, which may break off what it has heard the end of
      out.enqueue(part);
    };
    return new TransformStream({ transform });
  };
  window.fetch = async (...given) => {
    const address = String(given[0]?.url ?? given[0]);
    const join = address.includes("queue/join");
    if (join) { asked.joining += 1; asked.last = performance.now(); }
    try {
      const reply = await at_once(...given);
      if (join) asked.begun.add((await reply.clone().json()).event_id);
      if (!address.includes("queue/data")) return reply;
      return new Response(reply.body.pipeThrough(listening()), reply);
    } finally {
      if (join) asked.joining -= 1;
    }
  };
  window.quietFor = () => {
    const pending = asked.joining || [...asked.begun].some((id) => !asked.over.has(id));
    return pending ? 0 : performance.now() - asked.last;
  };
}
"""
"""Counts the page's events until they are over; runs before anything else in the page."""

CLICK = """([selector, at]) => {
  const all = [...document.querySelectorAll(selector)];
  const seen = all.filter((each) => each.checkVisibility() && !each.disabled);
  const one = seen[Math.floor(at * seen.length)];
  if (!one) return "";
  one.click();
  const { id, cell, record, tag } = one.dataset;
  return id || cell || record || tag || one.value || one.textContent.trim() || "it";
}"""
OPEN = """([selector, text]) => {
  const all = [...document.querySelectorAll(selector)];
  const one = all.find((each) => each.checkVisibility() && each.textContent.trim() === text);
  one?.click();
  return Boolean(one);
}"""
WRITE = """([selector, text, enter]) => {
  const box = [...document.querySelectorAll(selector)].find((each) => each.checkVisibility());
  if (!box || box.disabled) return "";
  box.focus();
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(box), "value").set.call(box, text);
  box.dispatchEvent(new Event("input", { bubbles: true }));
  if (enter) box.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
  box.blur();
  return text || "nothing";
}"""
CHOOSE = """async ([selector, at]) => {
  const box = document.querySelector(`${selector} input`);
  if (!box?.checkVisibility() || box.disabled) return "";
  box.focus();
  let options = [];
  for (let frame = 0; frame < 10 && !options.length; frame++) {
    await new Promise((next) => requestAnimationFrame(() => setTimeout(next)));
    options = [...document.querySelectorAll(`${selector} ul[role=listbox] li[data-index]`)];
  }
  const one = options[Math.floor(at * options.length)];
  const said = one?.getAttribute("aria-label") ?? "";
  one?.dispatchEvent(new MouseEvent("mousedown", { bubbles: true }));
  box.blur();
  return said;
}"""
MARKED = "document.querySelector('#study-list [data-id][aria-current]')?.dataset.id ?? null"


@dataclass
class Memory:
    """What the user did last, where the page's own controls do not tell; None: anything."""

    study: str | None = None
    record: str | None = None
    cells: list[int] = field(default_factory=list)
    typed: dict[str, tuple[str, ...]] = field(default_factory=dict)
    asked: bool = False
    settled: bool = True

    def moved(self) -> None:
        """To another study or question: what was shown of the last one goes, when it is there."""
        self.cells.clear()
        self.asked = self.settled = False


@dataclass(frozen=True)
class Hand:
    """The page, chance, and what was done."""

    page: Page
    chance: Random
    memory: Memory

    def click(self, selector: str) -> str:
        """A random one of what is found and could be pressed; "" where there is none."""
        return str(self.page.evaluate(CLICK, [selector, self.chance.random()]))

    def tab(self, name: str) -> str:
        """Open a page of the page."""
        self.page.evaluate(OPEN, ["#pages button[role=tab]", name])
        return name

    def write(self, selector: str, text: str, enter: bool = False) -> str:
        """Type into a box and leave it; "" where it is not seen."""
        return str(self.page.evaluate(WRITE, [selector, text, enter]))

    def choose(self, selector: str) -> str:
        """A random entry of one of Gradio's lists; "" where it is not seen."""
        return str(self.page.evaluate(CHOOSE, [selector, self.chance.random()]))


def study(hand: Hand) -> str:
    done = hand.click("#study-list [data-id]")
    return _moved(hand, done)


def next_study(hand: Hand) -> str:
    key = hand.chance.choice(("Alt+ArrowDown", "Alt+ArrowUp"))
    hand.page.evaluate("document.activeElement?.blur()")
    hand.page.keyboard.press(key)
    return _moved(hand, key)


def _moved(hand: Hand, done: str) -> str:
    before, hand.memory.study = hand.memory.study, hand.page.evaluate(MARKED)
    if hand.memory.study != before:
        hand.memory.moved()
    return f"{done} -> {hand.memory.study}" if done else ""


def question(hand: Hand) -> str:
    said = hand.choose("#question")
    if said:
        hand.memory.moved()
    return said


def representation(hand: Hand) -> str:
    return hand.click("#representation input")


def model(hand: Hand) -> str:
    return hand.write("#model input", hand.chance.choice(("fake:A", "fake:B", "fake:C")), True)


def setting(hand: Hand) -> str:
    boxes = ("#truth input", "#order input", "#include-masks input", "#without input")
    return hand.click(hand.chance.choice((*boxes, "#truth input")))


def ask(hand: Hand) -> str:
    done = hand.click("#ask")
    hand.memory.asked = hand.memory.asked or (bool(done) and hand.memory.settled)
    return done


def cancel(hand: Hand) -> str:
    hand.memory.asked = False
    return hand.click("#cancel")


def use_slice(hand: Hand) -> str:
    hand.page.evaluate("document.activeElement?.blur()")
    hand.page.keyboard.press(hand.chance.choice(("PageUp", "PageDown", "ArrowUp")))
    if not hand.page.evaluate(OPEN, ["#panes button", "Use this slice"]):
        return ""
    return str(hand.page.evaluate("mriPanes.index"))


def to_slices(hand: Hand) -> str:
    found = hand.click("#answer button[data-slices], #review-record button[data-slices]")
    if found:
        hand.memory.study = None  # whichever the answer was about
        hand.memory.moved()
    return found


def own(hand: Hand) -> str:
    number = hand.chance.randrange(100)
    stem, options = f"Own question {number}?", (f"Yes {number}", f"No {number}", "Perhaps")
    if not hand.write("#own-stem textarea", stem):
        return ""
    hand.write("#own-options textarea", "\n".join(options))
    hand.memory.typed[stem] = options
    hand.memory.moved()
    return hand.click("#own-use") and stem


def segment(hand: Hand) -> str:
    return hand.click("#segment")


def read_tab(hand: Hand) -> str:
    return hand.tab("Read")


def compare_tab(hand: Hand) -> str:
    return hand.tab("Compare")


def compare_page(hand: Hand) -> str:
    if not hand.click("#compare-pages button[role=tab]"):
        return ""
    return "a page of Compare"


def compare(hand: Hand) -> str:
    done = hand.click("#compare-run, #ablations-run")
    if done:
        hand.memory.cells.clear()
    return done


def compare_cancel(hand: Hand) -> str:
    return hand.click("#compare-cancel, #ablations-cancel")


def compare_choice(hand: Hand) -> str:
    return hand.click(
        "#compare-truth input, #compare-representations input, #compare-orders input,"
        " #ablation-orders input"
    )


def cells(hand: Hand) -> str:
    done = [hand.click("#compare-grid [data-state=filled]") for _ in range(2)]
    if not all(done):
        return ""
    hand.memory.cells.extend(map(int, done))
    return ", ".join(done)


def review_tab(hand: Hand) -> str:
    return hand.tab("Review")


def record(hand: Hand) -> str:
    found = hand.click("#review-list button[data-record]")
    hand.memory.record = found or hand.memory.record
    return found


def reviewing(hand: Hand) -> str:
    kinds = ("#review-next", "#review-form [data-tag]", "#review-older", "#review-newer")
    kind = hand.chance.choice(kinds)
    found = hand.click(kind)
    if found and kind == "#review-next":
        hand.memory.record = None
    return found


def reviewer(hand: Hand) -> str:
    return hand.write("#reviewer textarea, #reviewer input", hand.chance.choice(("Ann", "Bob")))


def note(hand: Hand) -> str:
    return hand.write("#review-form [data-note]", f"note {hand.chance.randrange(1000)}")


def results_tab(hand: Hand) -> str:
    return hand.tab("Results")


def results_filter(hand: Hand) -> str:
    boxes = "#results-text textarea, #results-text input"
    return hand.write(boxes, hand.chance.choice(("", "own", "2?")))


def example(hand: Hand) -> str:
    found = hand.click("#results-tables [data-record]")
    hand.memory.record = found or hand.memory.record
    return found


def models_tab(hand: Hand) -> str:
    return hand.tab("Models")


ACTS: dict[Callable[[Hand], str], int] = {
    study: 10, next_study: 8, question: 8, representation: 8, model: 3, setting: 8, ask: 12,
    cancel: 3, use_slice: 5, to_slices: 6, own: 3, segment: 1, read_tab: 6, compare_tab: 3,
    compare_page: 1, compare: 8, compare_cancel: 2, compare_choice: 5, cells: 8, review_tab: 3,
    record: 10, reviewing: 8, reviewer: 2, note: 2, results_tab: 1, results_filter: 3, example: 3,
    models_tab: 1,
}  # fmt: skip
"""How often each is tried."""
