"""A server that is slow at times: every event and every file waits for a random while.

Nothing else tells what a page does when answers, scripts and pictures come late and
in another order than they were asked for. `sitecustomize.py` puts it in place where
one of the variables is set.
"""

from __future__ import annotations

import asyncio
import random
from typing import Any

EVENTS = "MRI_VQA_QUEUE_DELAY"
"""Seconds that an event of the page waits at most."""
FILES = "MRI_VQA_FILE_DELAY"
"""Seconds that any request waits at most, before anything is done for it."""


def delay_events(most: float) -> None:
    """Delay each event of Gradio's queue by up to `most` seconds, in its own turn."""
    from gradio.queueing import Queue

    at_once = Queue.process_events

    async def late(self: Queue, *given: Any) -> None:
        await asyncio.sleep(random.uniform(0, most))
        await at_once(self, *given)

    Queue.process_events = late


def delay_files(most: float) -> None:
    """Delay each request by up to `most` seconds; an application inside another waits once."""
    from starlette.applications import Starlette

    at_once = Starlette.__call__

    async def late(self: Starlette, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http" and not scope.get("late"):
            scope["late"] = True
            await asyncio.sleep(random.uniform(0, most))
        await at_once(self, scope, receive, send)

    Starlette.__call__ = late


DELAYS = ((EVENTS, delay_events), (FILES, delay_files))
