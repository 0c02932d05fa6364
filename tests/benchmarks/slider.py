"""What the panes are compared with: a Gradio slider whose handler returns a matplotlib picture."""

from __future__ import annotations

import socket
from typing import Any

import numpy as np
from playwright.sync_api import Page

from viewer.planes import PLANES, cut
from viewer.study import Study
from viewer.volume import read_volume
from viewer.windows import display_window

STEPS = 20
STEP = """async () => {
const slider = document.querySelector("input[type=range]");
const image = () => document.querySelector("#slice img");
const times = [];
slider.focus();
for (let n = 0; n < %d; n++) {
  const before = image()?.src;
  const start = performance.now();
  slider.value = Number(slider.value) + 1;
  slider.dispatchEvent(new Event("input", { bubbles: true }));
  while (!image() || image().src === before || !image().complete) {
    await new Promise(requestAnimationFrame);
  }
  times.push(performance.now() - start);
}
return times; }"""


def slider_ms(page: Page, study: Study) -> list[float]:
    """Milliseconds from a step of the slider to its picture in the page; four sequences."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    demo = _slider_page(study)
    demo.launch(server_port=port, prevent_thread_lock=True, quiet=True, footer_links=[])
    try:
        page.goto(f"http://127.0.0.1:{port}/")
        page.locator("input[type=range]").wait_for()
        page.evaluate(STEP % 2)
        times: list[float] = page.evaluate(STEP % STEPS)
        return times
    finally:
        demo.close()


def _slider_page(study: Study) -> Any:
    import gradio as gr
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib.figure import Figure

    volumes = [read_volume(sequence) for sequence in study.sequences[:4]]
    windows = [display_window(volume) for volume in volumes]

    def draw(index: float) -> Figure:
        figure = Figure(figsize=(10, 7))
        for axes, volume, window in zip(figure.subplots(2, 2).flat, volumes, windows, strict=True):
            picture = cut(volume.array, PLANES["axial"], int(index), "radiological")
            axes.imshow(np.asarray(picture), cmap="gray", vmin=window.low, vmax=window.high)
            axes.set_axis_off()
        return figure

    last = volumes[0].array.shape[2] - 1
    with gr.Blocks(analytics_enabled=False) as demo:
        slider = gr.Slider(0, last, value=40, step=1)
        plot = gr.Plot(elem_id="slice")
        slider.change(draw, slider, plot, show_progress="hidden")
        demo.load(draw, slider, plot)
    return demo
