"""One line of JSON for every ask: what an operator needs, and nothing of a study but its id.

No question, option, reply, truth or tag: a log is read by people and kept in
places that a study's content must not reach.
"""

from __future__ import annotations

import json
import logging

from inference.records import Record

LOGGER = "mri-vqa-viewer.asks"

_log = logging.getLogger(LOGGER)


def ask_line(record: Record) -> str:
    """The JSON of one line; `seconds` is the whole ask, scoring and writing together."""
    return json.dumps(
        {
            "time": record.time,
            "record": record.id,
            "case": record.case,
            "question": record.question_id,
            "representation": record.representation,
            "ablation": record.ablation,
            "pictures": len(record.pictures),
            "model": record.model,
            "revision": record.revision,
            "dtype": record.dtype,
            "finish": record.finish,
            "status": record.answer.status,
            "tokens": record.tokens,
            "seconds": round(record.seconds, 3),
        }
    )


def log_ask(record: Record) -> None:
    """Say it to whoever listens (see `to_stderr`)."""
    _log.info("%s", ask_line(record))


def to_stderr() -> None:
    """Print the lines of this process, bare, on stderr."""
    handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter("%(message)s"))
    _log.addHandler(handler)
    _log.setLevel(logging.INFO)
    _log.propagate = False
