"""GET /thumbnails/{study}.png: the small picture of a listed study."""

from __future__ import annotations

from collections.abc import Callable

from anyio import CapacityLimiter, to_thread
from fastapi import APIRouter, Request, Response

from viewer.errors import UnknownStudy, UserError
from viewer.routes import refused
from viewer.study import Study
from viewer.thumbnails import Thumbnails, content_key


def thumbnail_routes(find_study: Callable[[str], Study], thumbnails: Thumbnails) -> APIRouter:
    """404 for a study that is not listed, 422 with the reason where no picture can be made.

    One picture is made at a time, outside the server's common thread pool: a
    list that is scrolled never holds up a study that is being opened.
    """
    router = APIRouter()
    one_at_a_time = CapacityLimiter(1)

    def answer(study_id: str, request: Request) -> Response:
        try:
            study = find_study(study_id)
            tag = f'"{content_key(study)}"'
            headers = {"ETag": tag, "Cache-Control": "private, no-cache"}
            if tag in request.headers.get("if-none-match", ""):
                return Response(status_code=304, headers=headers)
            return Response(thumbnails.png(study), media_type="image/png", headers=headers)
        except UnknownStudy as error:
            return refused(404, str(error))
        except UserError as error:
            return refused(422, str(error))

    @router.get("/thumbnails/{study_id:path}.png")
    async def thumbnail(study_id: str, request: Request) -> Response:
        return await to_thread.run_sync(answer, study_id, request, limiter=one_at_a_time)

    return router
