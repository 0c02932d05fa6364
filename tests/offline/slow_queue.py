"""A server that is slow at times: every event of the page waits for a random while.

Nothing else tells what a page does when answers come late and in another order
than they were asked for. `sitecustomize.py` puts it in place where the variable is set.
"""

from __future__ import annotations

import asyncio
import random
from typing import Any

VARIABLE = "MRI_VQA_QUEUE_DELAY"
"""Seconds that an event waits at most."""


def install(most: float) -> None:
    """Delay each event of Gradio's queue by up to `most` seconds, in its own turn."""
    from gradio.queueing import Queue

    at_once = Queue.process_events

    async def late(self: Queue, *given: Any) -> None:
        await asyncio.sleep(random.uniform(0, most))
        await at_once(self, *given)

    Queue.process_events = late
