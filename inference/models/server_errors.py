"""What a server refuses, and how a connection fails, each as one sentence.

Two tables: `REFUSALS` by status and by the server's own words, `FAULTS` by
the kind of httpx error.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

import httpx

from inference.models.errors import ModelUnavailable, UnfitPrompt
from inference.models.server_address import CHAT, Variables
from viewer.errors import UserError

SHOWN = 200
"""Characters of a server's own words that a sentence quotes."""


@dataclass(frozen=True)
class Sent:
    """What was asked of whom. `served` are the models that the server says it has.

    `variables` name where its address and its key come from.
    """

    model: str
    url: str
    pictures: int
    served: tuple[str, ...] = ()
    variables: Variables = CHAT


@dataclass(frozen=True)
class Timeouts:
    """Seconds: to be let in, to hand over the prompt, and between two pieces of the reply."""

    connect: float = 10.0
    write: float = 60.0
    read: float = 300.0


class ServerRefused(UserError):
    """A server that could not or would not answer: what it said and what mends it."""


class ServerGone(ServerRefused):
    """A server that does not run or cannot be reached: another one may answer instead."""


class RequestRefused(ServerRefused):
    """A server that only dislikes how it was asked, so that another way may do."""


Words = Callable[[Sent, "re.Match[str]", int], UserError]


@dataclass(frozen=True)
class Refusal:
    """A row: it applies to these statuses (empty: any) where `pattern` is in the server's words."""

    statuses: tuple[int, ...]
    pattern: str
    words: Words


def _too_many_pictures(sent: Sent, found: re.Match[str], status: int) -> UserError:
    return UnfitPrompt(
        f"Expected at most {found[1]} pictures, the limit of the server at {sent.url}, but "
        f"{sent.pictures} were sent; choose montage, or start vLLM with "
        f"--limit-mm-per-prompt '{{\"image\": {sent.pictures}}}'."
    )


def _too_long(sent: Sent, found: re.Match[str], status: int) -> UserError:
    limit = re.search(r"(?:context (?:length|size)|length)\D{0,40}?(\d{3,})", found.string)
    most = f"at most {limit[1]} tokens" if limit else "a prompt within its context"
    return UnfitPrompt(
        f"Expected {most}, the limit of {sent.model} on {sent.url}, but the prompt with "
        f"{sent.pictures} pictures is longer; choose montage, fewer slices, or start the server "
        "with a longer context (vLLM: --max-model-len)."
    )


def _no_key(sent: Sent, found: re.Match[str], status: int) -> UserError:
    return ModelUnavailable(
        f"Expected a key that the server at {sent.url} accepts, but it refused ({status}); "
        f"set {sent.variables.key} in the environment and start again."
    )


def _no_model(sent: Sent, found: re.Match[str], status: int) -> UserError:
    if sent.served:
        mend = f"it serves {', '.join(sent.served[:8])}; ask for server:{sent.served[0]}"
    else:
        mend = (
            f"check the name, and that {sent.variables.url} ends where its API begins (usually /v1)"
        )
    return ModelUnavailable(
        f"Expected the server at {sent.url} to know {sent.model}, but it does not ({status}); "
        f"{mend}."
    )


def _too_large(sent: Sent, found: re.Match[str], status: int) -> UserError:
    return UnfitPrompt(
        f"Expected a request that the server at {sent.url} takes, but {sent.pictures} pictures "
        "are too large for it (413); choose montage or smaller pictures."
    )


def _busy(sent: Sent, found: re.Match[str], status: int) -> UserError:
    return ServerRefused(
        f"Expected room on the server at {sent.url}, but it stayed too busy after several tries "
        f"({status}); ask again later."
    )


def _broken(sent: Sent, found: re.Match[str], status: int) -> UserError:
    return ServerRefused(
        f"Expected a reply from the server at {sent.url}, but it failed ({status}: "
        f"{_quoted(found)}); its own log says more."
    )


def _other(sent: Sent, found: re.Match[str], status: int) -> UserError:
    kind = RequestRefused if status in {400, 422} else ServerRefused
    return kind(
        f"Expected the server at {sent.url} to take the request, but it refused ({status}: "
        f"{_quoted(found)}); correct what it names."
    )


REFUSALS = (
    Refusal((), r"[Aa]t most (\d+) images?", _too_many_pictures),
    Refusal(
        (400, 413, 422, 500),
        r"(?i)context (?:length|size|window)|exceed_context|longer than the model",
        _too_long,
    ),
    Refusal((401, 403), "", _no_key),
    Refusal((404,), "", _no_model),
    Refusal((400,), r"(?i)pinned to|model .{0,80}not (?:found|exist)", _no_model),
    Refusal((413,), "", _too_large),
    Refusal((429, 503), "", _busy),
    Refusal(tuple(range(500, 600)), "", _broken),
    Refusal((), "", _other),
)


def refusal(status: int, text: str, sent: Sent) -> UserError:
    """The error of the first row that fits; the last fits everything."""
    for row in REFUSALS:
        found = re.search(row.pattern, text)
        if found and (not row.statuses or status in row.statuses):
            return row.words(sent, found, status)
    raise AssertionError("the last row fits everything")


FAULTS: tuple[tuple[type[httpx.HTTPError], str, str], ...] = (
    (
        httpx.ConnectTimeout,
        "it did not let us in within {t.connect:g} s",
        "check that it runs, and {url}",
    ),
    (
        httpx.ReadTimeout,
        "it sent nothing for {t.read:g} s",
        "ask for less, or look into its log",
    ),
    (
        httpx.WriteTimeout,
        "it took longer than {t.write:g} s to take the prompt",
        "choose montage or smaller pictures",
    ),
    (
        httpx.ConnectError,
        "it refuses the connection",
        "start it, or set {url} to where it listens",
    ),
    (httpx.RemoteProtocolError, "it closed the connection in the middle", "look into its log"),
    (httpx.HTTPError, "the connection broke", "check that it still runs"),
)
"""Kind of fault, what happened, what to do; the first that fits, subclasses first."""


GONE = (httpx.ConnectError, httpx.ConnectTimeout, httpx.RemoteProtocolError)


def fault(error: httpx.HTTPError, sent: Sent, timeouts: Timeouts) -> ServerRefused:
    """The sentence for a connection that failed."""
    happened, mend = next((words, mend) for kind, words, mend in FAULTS if isinstance(error, kind))
    kind = ServerGone if isinstance(error, GONE) else ServerRefused
    return kind(
        f"Expected a reply from the server at {sent.url}, but {happened.format(t=timeouts)}; "
        f"{mend.format(url=sent.variables.url)}."
    )


def no_choice(sent: Sent) -> ServerRefused:
    """A reply with nothing in it."""
    return ServerRefused(
        f"Expected a reply from {sent.model} on {sent.url}, but the server sent none (no choices); "
        "look into its log."
    )


def broken_off(sent: Sent) -> ServerRefused:
    """A stream that stopped before the server said that the reply was over."""
    return ServerRefused(
        f"Expected the whole reply from the server at {sent.url}, but it broke off in the middle; "
        "look into its log and ask again."
    )


def reported(text: str, sent: Sent) -> UserError:
    """An error that the server tells inside a stream that had begun well."""
    return refusal(500, text, sent)


def too_much(sent: Sent) -> ServerRefused:
    """An answer that does not end."""
    return ServerRefused(
        f"Expected a reply from the server at {sent.url}, but it sends more than any reply is "
        "long; look into its log."
    )


def not_an_api(sent: Sent) -> ServerRefused:
    """Something answers, but no OpenAI API."""
    return ServerRefused(
        f"Expected the OpenAI chat API at {sent.url}, but what answers there sends no JSON; "
        f"set {sent.variables.url} to where it begins (usually /v1)."
    )


def _quoted(found: re.Match[str]) -> str:
    text = " ".join(found.string.split())
    return text if len(text) <= SHOWN else text[:SHOWN] + " …"
