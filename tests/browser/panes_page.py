"""A page with the panes alone: the real routes, the real code, studies made for the test."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np
import uvicorn
from fastapi import APIRouter, FastAPI, Request, Response
from fastapi.responses import FileResponse, HTMLResponse
from numpy.typing import NDArray
from playwright.sync_api import Page

from tests.viewer.images import save
from viewer.arrays import Affine
from viewer.cache import ArrayCache
from viewer.copies import label_copy
from viewer.delivery import CompressedCopies, deliver, file_tag
from viewer.errors import UnknownStudy
from viewer.labelmap import read_labelmap
from viewer.panes import OverlayEntry, PaneOverlay, pane_spec, to_json
from viewer.routes import mount_static, volume_routes
from viewer.study import MaskFile, SequenceFile, Study

PAGE = """<!doctype html><body style="margin:8px"><input id="text"><div id="box"
 contenteditable="true" style="min-height:1em"></div><main></main><script type="module">
import { mountPanes } from "/static/panes/panes.js";
window.used = [];
window.opened = [];
const card = new URLSearchParams(location.search).get("card") ?? undefined;
const hooks = { use: (slice) => used.push(slice), open: (study) => opened.push(study) };
window.panes = await mountPanes(document.querySelector("main"), hooks, card);
</script>"""

PATIENCE_MS = 120_000
"""WebGL in software on a busy machine is slow, not wrong."""

Find = Callable[[str], Study]

ENTRIES = (OverlayEntry(1, "core", "#d55e00"), OverlayEntry(2, "edema", "#f0e442"))
SHAPE = (40, 50, 30)
BRIGHT = (slice(28, 33), slice(38, 44), slice(20, 24))
"""A block to the patient's right, front and top: no flip can hide."""


def grid(step: float, origin: tuple[float, float, float]) -> Affine:
    """An affine of equal steps whose first voxel lies at `origin` mm."""
    matrix = np.diag([step, step, step, 1.0])
    matrix[:3, 3] = origin
    return matrix


def phantom(shape: tuple[int, int, int] = SHAPE, coarse: int = 1) -> NDArray[np.int16]:
    """A dim box with one bright block, on a grid `coarse` times coarser."""
    array = np.zeros(shape, np.int16)
    rim = 4 // coarse
    array[rim:-rim, rim:-rim, rim:-rim] = 300
    block = tuple(slice(s.start // coarse, s.stop // coarse) for s in BRIGHT)
    array[block] = 1000
    return array


def make_study(
    folder: Path, name: str, order: str = "RAS", sequences: int = 4, mask: bool = True
) -> Study:
    """`sequences` files of the phantom, axes stored in `order`, and a mask over the block."""
    world = grid(2.0, (-80.0, -10.0, 5.0))
    files = []
    for sequence in ("T1", "T1c", "T2", "FLAIR", "ADC", "SWI")[:sequences]:
        path = save(folder / name / f"{sequence}.nii.gz", phantom(), world, order)
        files.append(SequenceFile(sequence, path, SHAPE, (2.0, 2.0, 2.0)))
    masks = []
    if mask:
        labels = np.zeros(SHAPE, np.uint8)
        labels[BRIGHT] = 2
        labels[30, 40, 20:24] = 1
        path = save(folder / name / "seg.nii.gz", labels, world, order)
        masks = [MaskFile("expert", path, "brats-2021")]
    return Study(name, "plain", folder / name, tuple(files), tuple(masks))


def make_two_grids(folder: Path) -> Study:
    """The phantom at 2 mm and at 4 mm: two grids that share their outer box."""
    fine = make_study(folder, "grids", sequences=1)
    world = grid(4.0, (-79.0, -9.0, 6.0))
    small = phantom(tuple(n // 2 for n in SHAPE), coarse=2)
    path = save(folder / "grids" / "T1c.nii.gz", small, world)
    coarse = SequenceFile("T1c", path, small.shape, (4.0, 4.0, 4.0))
    return replace(fine, sequences=(*fine.sequences, coarse))


def spec_json(study: Study, **choices: object) -> str:
    """What Python would send for a study."""
    url = f"masks/{study.id}.nii"
    overlays = [PaneOverlay("expert", url, ENTRIES)] if study.masks else []
    return to_json(pane_spec(study, overlays, **choices))


@contextmanager
def serving(
    studies: list[Study], routes: Callable[[Find], APIRouter] | None = None
) -> Iterator[str]:
    """Serve the page and the studies on a free port of this machine; gives the address.

    `routes` adds to them, before the masks of this page's own.
    """
    known = {study.id: study for study in studies}
    copies = CompressedCopies()
    app = FastAPI()

    def find(study_id: str) -> Study:
        if study_id not in known:
            raise UnknownStudy(f"Expected a listed study, got {study_id!r}; choose another.")
        return known[study_id]

    app.include_router(volume_routes(find, ArrayCache(2**28)))
    mount_static(app)
    if routes is not None:
        app.include_router(routes(find))

    @app.get("/")
    def page() -> HTMLResponse:
        return HTMLResponse(PAGE)

    @app.get("/raw/{study_id}/{sequence}")
    def raw(study_id: str, sequence: str) -> FileResponse:
        found = find(study_id).sequence(sequence)
        assert found is not None
        return FileResponse(found.path)

    @app.get("/masks/{study_id}.nii")
    def mask(study_id: str, request: Request) -> Response:
        file = find(study_id).masks[0]
        tag = file_tag(file.path)
        return deliver(request, tag, copies, lambda: label_copy(read_labelmap(file)))

    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        server = uvicorn.Server(uvicorn.Config(app, log_level="error"))
        thread = threading.Thread(target=server.run, args=([listening],), daemon=True)
        thread.start()
        while not server.started:
            time.sleep(0.02)
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/"
        server.should_exit = True
        thread.join(timeout=10)


def open_panes(page: Page, address: str) -> Page:
    """Go there; the panes have started when this returns."""
    page.set_default_timeout(PATIENCE_MS)
    page.goto(address)
    page.wait_for_function("window.panes !== undefined")
    return page
