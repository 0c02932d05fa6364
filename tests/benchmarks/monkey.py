"""A user who does anything at any moment: `python -m tests.benchmarks.monkey --data DIR`.

Serves the studies with a fake model and a queue whose events each wait for a
random while (`--delay` seconds at most), and does random things on the page in
a real browser, quickly. Whenever the page has come to rest, what must hold then
is looked at (`monkey_laws`). Each law that is broken is printed with what was
done since the page was opened; exit status 1 where there was any. The same
seed does the same things, as far as the page is in the same state.
"""

from __future__ import annotations

import csv
import sys
import tempfile
import time
from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from shutil import which

from playwright.sync_api import Browser, Error, Page, sync_playwright

from inference.question_files import read_questions
from inference.questions import together
from tests.benchmarks.monkey_laws import LOOK, Laws
from tests.benchmarks.monkey_page import ACTS, QUIET, Hand, Memory
from tests.browser.conftest import CHROMIUM_FLAGS
from tests.crowd import Wish, write_studies
from tests.offline.slow_queue import EVENTS
from tests.serving import Served, served

ROUNDS = 25
"""A page lives for so many rounds."""
REST_MS = 1000
"""A page that has heard nothing for so long has come to rest."""
PATIENCE_S = 120.0
LONGEST_PAUSE_S = 1.0
KNOWN = ("Cannot read properties of undefined (reading '0')",)
"""Gradio's own: one of its lists is open while its entries grow fewer; it is drawn anew at once."""


@dataclass
class Monkey:
    """What was done, and what was found."""

    running: Served
    chance: Random
    laws: Laws
    done: Counter[str] = field(default_factory=Counter)
    faults: int = 0

    def visit(self, browser: Browser, until: float) -> None:
        """Open the page, do things for some rounds, and look at it after each."""
        story: list[str] = []
        with opened(browser, self.running.address, story) as page:
            hand = Hand(page, self.chance, Memory())
            for _ in range(ROUNDS):
                if time.monotonic() > until:
                    return
                self._act(hand, story, self.chance.randint(1, 8))
                said = self._look(hand)
                said += [line for line in story if line.startswith("!")]
                if said:
                    self._tell(page, story, said)
                    return

    def _act(self, hand: Hand, story: list[str], count: int) -> None:
        kinds, weights = list(ACTS), list(ACTS.values())
        while count:
            act = self.chance.choices(kinds, weights)[0]
            began = time.monotonic()
            try:
                said = act(hand)
            except Error as error:  # gone or hidden while the hand was on its way
                said = ""
                story.append(f"({act.__name__}: {error.message.splitlines()[0]})")
            if not said:
                continue
            count -= 1
            self.done[act.__name__] += 1
            pause = self.chance.choice((0.0, self.chance.uniform(0, LONGEST_PAUSE_S)))
            story.append(f"{began:10.2f} {act.__name__}: {said} ({pause:.2f} s)")
            hand.page.wait_for_timeout(1000 * pause)
        story.append("-- rest")

    def _look(self, hand: Hand) -> list[str]:
        """What is broken now, and still is a while later."""
        if not rested(hand.page):
            left = hand.page.evaluate("[...asked.begun].filter((id) => !asked.over.has(id)).length")
            return [f"no rest after {PATIENCE_S:.0f} s: {left} events are not over"]
        if self.laws.broken(hand.page.evaluate(LOOK), hand.memory):
            hand.page.wait_for_timeout(2000)
            rested(hand.page)
        now = hand.page.evaluate(LOOK)
        said = self.laws.broken(now, hand.memory)
        if not said:
            said = self.laws.remembered(now)
            hand.memory.settled = True
        log = self.running.log.read_text(errors="replace")
        return said + ["a traceback in the server's log"] * ("Traceback" in log)

    def _tell(self, page: Page, story: list[str], said: list[str]) -> None:
        self.faults += 1
        print("\n".join([f"\n== fault {self.faults}", *story, *(f"** {one}" for one in said)]))
        sys.stdout.flush()
        page.screenshot(path=f"{self.running.log}.{self.faults}.png")


@contextmanager
def opened(browser: Browser, address: str, story: list[str]) -> Iterator[Page]:
    """A page; faults of its scripts and what it wants elsewhere are noted with "!"."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    page = context.new_page()
    page.add_init_script(QUIET)
    page.on(
        "pageerror",
        lambda error: (
            None if error.message.startswith(KNOWN) else story.append(f"! script: {error.message}")
        ),
    )
    page.on(
        "request",
        lambda asked: (
            None
            if asked.url.startswith((address, "data:", "blob:", "about:"))
            else story.append(f"! elsewhere: {asked.url}")
        ),
    )
    page.goto(address)
    page.wait_for_function("window.mriPanes?.loaded.length === 4", timeout=1000 * PATIENCE_S)
    for closed in ("#more-settings", "#own-question"):
        page.locator(f"{closed} button").first.click()
    rested(page)
    yield page
    context.close()


def rested(page: Page) -> bool:
    """Wait until nothing has been under way for a while; False where it does not come to that."""
    loading = "document.querySelector('.pane:not([hidden])[data-status=loading]')"
    try:
        heard = -1
        while heard != (heard := page.evaluate("asked.begun.size")):  # a busy page hears late
            page.wait_for_function(
                f"quietFor() > {REST_MS} && !{loading}", timeout=1000 * PATIENCE_S
            )
    except Error:
        return False
    return True


def small_studies(folder: Path) -> list[Path]:
    """Studies that cost little, in `folder`; their question files, which share their ids."""
    wishes = [Wish(number) for number in range(1, 5)]
    write_studies(folder, wishes).unlink()
    files = []
    for wish in wishes:
        files.append(folder / f"{wish.case}.csv")
        with files[-1].open("w", newline="") as file:
            rows = csv.writer(file)
            rows.writerow(["case", "id", "question", "options", "answer"])
            for number in range(1, 4):
                options = "\n".join(f"{letter}{number} {wish.word}" for letter in "abcd")
                stem = f"What is {wish.word} {number}?"
                rows.writerow([wish.case, number, stem, options, "ABCD"[number]])
    return files


def run(chosen: Namespace) -> int:
    """Let it loose; how many faults it found."""
    path = which("chromium") or which("google-chrome")
    slow = {EVENTS: str(chosen.delay)} if chosen.delay else {}
    with tempfile.TemporaryDirectory() as place, sync_playwright() as playwright, ExitStack() as up:
        data = chosen.data or Path(place) / "studies"
        files = chosen.questions or small_studies(data)
        given = [part for file in files for part in ("--questions", str(file))]
        arguments = ["--data", str(data), *given, "--model", "fake:B"]
        folder = chosen.keep or Path(place)
        running = up.enter_context(served(folder, *arguments, environment=slow))
        laws = Laws(together([read_questions(file) for file in files]).questions)
        browser = playwright.chromium.launch(executable_path=path, args=CHROMIUM_FLAGS)
        monkey = Monkey(running, Random(chosen.seed), laws)
        until = time.monotonic() + 60 * chosen.minutes
        while time.monotonic() < until and monkey.faults < chosen.most:
            monkey.visit(browser, until)
        browser.close()
        print(f"\n{monkey.done.total()} acts, {monkey.faults} faults, seed {chosen.seed}, "
              f"delay {chosen.delay:g} s; {dict(monkey.done)}")  # fmt: skip
        return monkey.faults


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the arguments, run, and tell."""
    parser = ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--data", type=Path, help="a folder of studies; default: small ones")
    parser.add_argument("--questions", type=Path, nargs="*", help="default: those in the folder")
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--delay", type=float, default=0.3, metavar="S", help="0: as fast as it is")
    parser.add_argument("--most", type=int, default=20, metavar="N", help="stop after N faults")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="for log, records, pictures")
    chosen = parser.parse_args(arguments)
    if chosen.data and not chosen.questions:
        chosen.questions = sorted(chosen.data.glob("*.csv"))
    return int(run(chosen) > 0)


if __name__ == "__main__":
    sys.exit(main())
