"""What the browser may fetch: volumes of listed studies, and the panes' own code.

Only a study and a sequence that the catalogue lists have an address; a path is
never taken from the browser. Conversion runs in the server's thread pool
(plain `def` endpoints), so that scrolling and asking never wait for it.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from fastapi import APIRouter, FastAPI, Request, Response
from fastapi.responses import JSONResponse
from fastapi.staticfiles import StaticFiles

from viewer.cache import ArrayCache
from viewer.copies import VERSION, browser_copy
from viewer.delivery import CompressedCopies, deliver, file_tag
from viewer.errors import UserError
from viewer.study import SequenceFile, Study

STATIC = Path(__file__).parent / "static"
NIIVUE_CODE = STATIC / "niivue" / "dist" / "index.js"
"""Placed there when the project is installed."""


def volume_routes(find_study: Callable[[str], Study], cache: ArrayCache) -> APIRouter:
    """GET /volumes/{study}/{sequence}.nii: the 8-bit copy of a listed sequence.

    `find_study` raises `UnknownStudy` for an id that is not listed. A reason
    that the user can act on is sent as `{"detail": sentence}`, 404 for what is
    not listed, 422 for a file that cannot be read.
    """
    router = APIRouter()
    copies = CompressedCopies()

    @router.get("/volumes/{study_id:path}/{sequence}.nii")
    def volume(study_id: str, sequence: str, request: Request) -> Response:
        try:
            file = _listed(find_study(study_id), sequence)
        except UserError as error:
            return refused(404, str(error))
        try:
            tag = file_tag(file.path, file.frame, VERSION)
            return deliver(request, tag, copies, lambda: browser_copy(cache.volume(file)))
        except FileNotFoundError:
            return refused(
                404, f"{file.path.name} was listed but is gone; open the list of studies anew."
            )
        except UserError as error:
            return refused(422, str(error))

    return router


def mount_static(app: FastAPI) -> None:
    """Serve the code of the panes and of the list, and NiiVue's one file, nothing else."""
    for own in ("panes", "browser"):
        app.mount(f"/static/{own}", _AlwaysChecked(directory=STATIC / own))
    app.mount("/static/niivue", _AlwaysChecked(directory=NIIVUE_CODE.parent, check_dir=False))


class _AlwaysChecked(StaticFiles):
    """Files that a browser asks about each time, so that an update is never half old."""

    def file_response(self, *args: Any, **options: Any) -> Response:
        response = super().file_response(*args, **options)
        response.headers["Cache-Control"] = "no-cache"
        return response


def refused(status: int, sentence: str) -> JSONResponse:
    """A failure in words, in the form that the panes show."""
    return JSONResponse({"detail": sentence}, status_code=status)


def _listed(study: Study, name: str) -> SequenceFile:
    found = study.sequence(name)
    if found is None:
        names = ", ".join(sequence.name for sequence in study.sequences)
        raise UserError(
            f"Expected one of the sequences of {study.id} ({names}), got {name!r}; choose one."
        )
    return found
