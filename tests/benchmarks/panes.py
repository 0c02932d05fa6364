"""How fast the panes are in a real browser: `python -m tests.benchmarks.panes --data DIR`.

Software WebGL, four panes, the first study with four sequences. Prints one JSON
document: milliseconds from a key press to the drawn frame (median, 95th
percentile), with and without waiting for the pixels, and seconds from the click
on a study to the first and to all four sequences, beside a bare NiiVue page
that loads the same files. Run it on an idle machine.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from playwright.sync_api import Page, sync_playwright

from tests.browser.conftest import CHROMIUM_FLAGS
from tests.browser.panes_page import serving, spec_json
from viewer.catalogue import find_studies
from viewer.study import Study

PRESSES = 150
SYNC = """const pixel = new Uint8Array(4);
const sync = (canvases) => { for (const canvas of canvases) {
  const gl = canvas.getContext("webgl2");
  gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel); } };"""
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


def measure(page: Page, address: str, study: Study) -> dict[str, Any]:
    """All figures of one study."""
    page.goto(address)
    page.wait_for_function("window.panes !== undefined")
    page.wait_for_timeout(3000)  # the panes' shaders are compiled while the user looks for a study
    opened = page.evaluate(OPEN, spec_json(study))
    page.wait_for_function("mriPanes.maskLoaded")
    page.evaluate(KEYS, 10)
    times = page.evaluate(KEYS, PRESSES)
    page.goto(address)
    urls = [f"raw/{study.id}/{sequence.name}" for sequence in study.sequences[:4]]
    bare = page.evaluate(BARE, urls)
    return {
        "study": study.id,
        "shape": study.sequences[0].shape,
        "key_to_commands_ms": _spread(times["issued"]),
        "key_to_pixels_ms": _spread(times["seen"]),
        "open_s": {name: round(value / 1000, 2) for name, value in opened.items()},
        "bare_niivue_open_s": {name: round(value / 1000, 2) for name, value in bare.items()},
    }


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


def _spread(times: list[float]) -> dict[str, float]:
    median, high = np.percentile(times, (50, 95))
    return {"median": round(float(median), 1), "p95": round(float(high), 1)}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="a folder of studies")
    studies = find_studies([parser.parse_args().data]).studies
    study = next(study for study in studies if len(study.sequences) >= 4)
    with serving([study]) as address, chromium() as page:
        sys.stdout.write(json.dumps(measure(page, address, study), indent=2) + "\n")


if __name__ == "__main__":
    main()
