"""How files come from the browser: chosen together, sent one by one, then read as studies."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from anyio import to_thread
from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse
from pydantic import BaseModel

from viewer.errors import UserError
from viewer.routes import refused
from viewer.session_files import Session, SessionFiles
from viewer.session_studies import OTHER, ROLES, Choice, Reading, read_files
from viewer.study import Problem
from viewer.study_rows import study_rows

PIECE = 1 << 20
"""Bytes that are written at once."""

CountQuestions = Callable[[Sequence[str]], Mapping[str, int]]


class GivenChoice(BaseModel):
    """The page's word about one file."""

    role: str = ""
    scheme: str = ""


def session_routes(
    files: SessionFiles, schemes: Sequence[str], count_questions: CountQuestions
) -> APIRouter:
    """POST /opened/{token}/…, where `token` names the session and nobody else knows it.

    `schemes` are the names of what a mask's labels may mean. A refusal is
    `{"detail": sentence}`: 404 for a session that is over, else 422.
    """
    router = APIRouter(prefix="/opened/{token}")

    @router.post("")
    def begin(token: str) -> JSONResponse:
        return _answered(lambda: {"batch": files.new_batch(token)})

    @router.post("/{batch}/file")
    async def receive(token: str, batch: str, path: str, request: Request) -> JSONResponse:
        try:
            with files.receiving(token, batch, path) as write:
                held = bytearray()
                async for piece in request.stream():
                    held += piece
                    if len(held) >= PIECE:
                        await to_thread.run_sync(write, bytes(held))
                        held.clear()
                await to_thread.run_sync(write, bytes(held))
        except UserError as error:
            return refused(422, str(error))
        return JSONResponse({})

    @router.post("/{batch}/read")
    def read(token: str, batch: str, choices: dict[str, GivenChoice]) -> JSONResponse:
        def work() -> dict[str, Any]:
            session, folder = files.session(token), files.batch(token, batch)
            given = {file: Choice(c.role, c.scheme) for file, c in choices.items()}
            reading = read_files(folder, session.folder, given)
            session.studies.update({study.id: study for study in reading.studies})
            return _document(session, reading, folder, schemes, count_questions)

        return _answered(work)

    return router


def _document(
    session: Session,
    reading: Reading,
    folder: Path,
    schemes: Sequence[str],
    count_questions: CountQuestions,
) -> dict[str, Any]:
    """All studies of the session, the first new one, and what is asked or was left out."""
    studies = list(session.studies.values())
    rows = study_rows(studies, count_questions([study.id for study in studies]), {})
    return {
        "rows": [asdict(row) for row in rows],
        "first": reading.studies[0].id if reading.studies else None,
        "asked": [asdict(asked) for asked in reading.asked],
        "roles": [*ROLES, OTHER],
        "schemes": list(schemes),
        "problems": [_sentence(problem, folder) for problem in reading.problems],
    }


def _sentence(problem: Problem, folder: Path) -> str:
    """The problem without the folder that the file lies in here."""
    return f"{problem.file}: {problem.reason}".replace(f"{folder}/", "")


def _answered(work: Callable[[], dict[str, Any]]) -> JSONResponse:
    try:
        return JSONResponse(work())
    except UserError as error:
        return refused(422, str(error))
