"""How fast the panes are in a real browser: `python -m tests.benchmarks.panes --data DIR`.

No graphics card, four panes, the first study with four sequences. Prints one JSON document:

- milliseconds from a key press to the drawn frame (median, 95th percentile), to its pixels being
  there, and of the page's own thread (processor time, which other work on the machine changes
  little), drawn by the processor as the page does without a card, and with WebGL in software;
- requests to the server while scrolling;
- seconds from the click on a study to the first and to all four sequences, beside a bare NiiVue
  page that loads the same files;
- what browser and server hold after ten changes of study, beside what they held before;
- a Gradio slider that returns a matplotlib picture (tests.benchmarks.slider), for comparison.

`load` is the machine's, over the last minute; run it on an idle one.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from playwright.sync_api import CDPSession, Page, sync_playwright

from tests.benchmarks.slider import slider_ms
from tests.browser.conftest import CHROMIUM_FLAGS
from tests.browser.panes_page import serving, spec_json
from viewer.catalogue import find_studies
from viewer.study import Study

CHANGES = 10
MB = 2**20
PRESSES = 150
SYNC = """const pixel = new Uint8Array(4);
const sync = (canvases) => { for (const canvas of canvases) {
  const gl = canvas.getContext("webgl2");
  if (gl) gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
  else canvas.getContext("2d").getImageData(0, 0, 1, 1); } };"""
KEYS = f"""async (presses) => {{
{SYNC}
const canvases = [...document.querySelectorAll(".pane:not([hidden]) canvas")];
const press = (key) => document.dispatchEvent(new KeyboardEvent("keydown", {{ key }}));
const issued = [], seen = [];
press("Home");
for (let n = 0; n < presses; n++) {{
  await new Promise((next) => requestAnimationFrame(() => setTimeout(next, 20)));
  const start = performance.now();
  press("ArrowUp");
  issued.push(performance.now() - start);
  sync(canvases);
  seen.push(performance.now() - start);
}}
return {{ issued, seen }}; }}"""
OPEN = f"""async (json) => {{
{SYNC}
const start = performance.now();
let first = 0;
panes.show(JSON.parse(json));
const ready = () => document.querySelectorAll(".pane[data-status=ready] canvas");
while (ready().length < 4) {{
  await new Promise(requestAnimationFrame);
  if (!first && ready().length) {{ sync(ready()); first = performance.now() - start; }}
}}
sync(ready());
return {{ first: first || performance.now() - start, all: performance.now() - start }}; }}"""
BARE = f"""async (urls) => {{
{SYNC}
const {{ Niivue }} = await import("/static/niivue/index.js");
const views = [];
for (const url of urls) {{
  const box = document.body.appendChild(document.createElement("div"));
  box.style.cssText = "width:370px;height:350px";
  const canvas = box.appendChild(document.createElement("canvas"));
  const view = new Niivue({{ logLevel: "error", sliceType: 0 }});
  await view.attachToCanvas(canvas);
  views.push(view);
}}
const start = performance.now();
let first = 0;
await Promise.all(views.map(async (view, n) => {{
  await view.loadVolumes([{{ url: urls[n], name: "volume.nii.gz" }}]);
  view.drawScene();
  sync([view.canvas]);
  first ||= performance.now() - start;
}}));
return {{ first, all: performance.now() - start }}; }}"""


WAYS = {"without_card": "", "software_webgl": "?card=hardware"}
"""How the panes are drawn -> what the page's address says."""


def scrolling(page: Page, address: str, studies: Sequence[Study]) -> dict[str, Any]:
    """Opening a study and scrolling through it, by each way of drawing."""
    return {name: _scrolled(page, address + query, studies[0]) for name, query in WAYS.items()}


def bare(page: Page, address: str, studies: Sequence[Study]) -> dict[str, Any]:
    """Seconds until a bare NiiVue page shows the same files."""
    page.goto(address)
    urls = [f"raw/{studies[0].id}/{sequence.name}" for sequence in studies[0].sequences[:4]]
    return {name: round(ms / 1000, 2) for name, ms in page.evaluate(BARE, urls).items()}


def slider(page: Page, address: str, studies: Sequence[Study]) -> dict[str, Any]:
    """Milliseconds from a step of a Gradio slider to its matplotlib picture."""
    return spread(slider_ms(page, studies[0]))


def _scrolled(page: Page, address: str, study: Study) -> dict[str, Any]:
    page.goto(address)
    page.wait_for_function("window.panes !== undefined")
    page.wait_for_timeout(3000)  # the panes are made ready while the user looks for a study
    opened = page.evaluate(OPEN, spec_json(study))
    page.wait_for_function("mriPanes.maskLoaded")
    page.evaluate(KEYS, 10)
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    before = _thread_seconds(session)
    times = page.evaluate(KEYS, PRESSES)
    spent = _thread_seconds(session) - before
    return {
        "key_to_commands_ms": spread(times["issued"]),
        "key_to_pixels_ms": spread(times["seen"]),
        "page_thread_ms_a_frame": round(1000 * spent / PRESSES, 1),
        "requests": len(asked),
        "open_s": {name: round(value / 1000, 2) for name, value in opened.items()},
    }


def _thread_seconds(session: CDPSession) -> float:
    metrics = session.send("Performance.getMetrics")["metrics"]
    return float(next(m["value"] for m in metrics if m["name"] == "TaskDuration"))


def memory(page: Page, address: str, studies: Sequence[Study]) -> dict[str, Any]:
    """MiB after every study was open once, and after ten changes more, by who holds them."""
    found = {}
    for name, query in WAYS.items():
        page.goto(address + query)
        page.wait_for_function("window.panes !== undefined")
        session = page.context.new_cdp_session(page)
        for study in (*studies, studies[0]):
            _open(page, study)
        before = _held(page, session)
        for change in range(1, CHANGES + 1):
            _open(page, studies[change % len(studies)])
        _open(page, studies[0])
        found[name] = {"before": before, "after": _held(page, session)}
    return found


def _open(page: Page, study: Study) -> None:
    page.evaluate("(json) => panes.show(JSON.parse(json))", spec_json(study))
    page.wait_for_function("mriPanes.loaded.length === 4 && mriPanes.maskLoaded")


def _held(page: Page, session: CDPSession) -> dict[str, float]:
    page.wait_for_timeout(500)
    for _ in range(3):
        session.send("HeapProfiler.collectGarbage")
    heap = session.send("Runtime.getHeapUsage")
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    held = {
        "js_heap": heap["usedSize"],
        "js_arrays": heap["backingStorageSize"],
        "textures": page.evaluate("mriPanes.textureBytes"),
        "server": pages * os.sysconf("SC_PAGESIZE"),
    }
    return {name: round(size / MB, 1) for name, size in held.items()}


@contextmanager
def chromium() -> Iterator[Page]:
    """A page of 1440×900 in the system's Chromium, without a graphics card."""
    path = shutil.which("chromium") or shutil.which("google-chrome")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=CHROMIUM_FLAGS)
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        page.set_default_timeout(300_000)
        yield page
        browser.close()


def spread(times: list[float]) -> dict[str, float]:
    """Median and 95th percentile."""
    median, high = np.percentile(times, (50, 95))
    return {"median": round(float(median), 1), "p95": round(float(high), 1)}


PARTS = {
    "scrolling": scrolling,
    "bare_niivue_open_s": bare,
    "memory_mib": memory,
    "gradio_slider_ms": slider,
}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="a folder of studies")
    parser.add_argument(
        "--part", action="append", choices=PARTS, help="only this (may be repeated)"
    )
    arguments = parser.parse_args()
    studies = find_studies([arguments.data]).studies
    whole = [study for study in studies if len(study.sequences) >= 4 and study.masks]
    found: dict[str, Any] = {"study": whole[0].id, "shape": whole[0].sequences[0].shape}
    with serving(whole) as address, chromium() as page:
        for name in arguments.part or PARTS:
            found[name] = PARTS[name](page, address, whole)
            found[name]["load"] = round(os.getloadavg()[0], 1)
    sys.stdout.write(json.dumps(found, indent=2) + "\n")


if __name__ == "__main__":
    main()
