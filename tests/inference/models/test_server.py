"""A server's ten worst days, each in words, through a fake transport."""

from __future__ import annotations

import asyncio
import json
import logging
import math
import time
from collections.abc import AsyncIterator, Callable
from typing import Any

import httpx
import pytest

from inference.models.errors import ModelUnavailable, UnfitPrompt
from inference.models.protocol import GenerationSettings
from inference.models.server import AT_ONCE, ServerModel
from inference.models.server_address import ServerAddress, server_address
from inference.models.server_errors import ServerRefused
from inference.models.server_link import ServerLink
from inference.models.table import model_entry
from inference.replies import Reply
from tests.inference.models.checkpoints import picture, prompt
from viewer.errors import UserError

KEY = "sk-very-secret-1234"
URL = "http://127.0.0.1:9/v1"
Handler = Callable[[httpx.Request], httpx.Response]


def server(handler: Any) -> ServerModel:
    link = ServerLink(
        ServerAddress(URL, KEY), pauses=(0.0, 0.0, 0.0), transport=httpx.MockTransport(handler)
    )
    return ServerModel(model_entry("server:org/vlm"), link)


def events(*chunks: Any, done: bool = True) -> bytes:
    lines = [f"data: {json.dumps(chunk)}\n\n" for chunk in chunks]
    return "".join([*lines, "data: [DONE]\n\n" if done else ""]).encode()


def piece(text: str | None = None, finish: str | None = None, **more: Any) -> dict[str, Any]:
    return {"choices": [{"index": 0, "delta": {"content": text}, "finish_reason": finish}], **more}


def says(status: int, words: str) -> Handler:
    """A server that refuses chats with these words, and lists one other model."""

    def answer(request: httpx.Request) -> httpx.Response:
        if request.url.path.endswith("/models"):
            return httpx.Response(200, json={"data": [{"id": "other/vlm"}]})
        return httpx.Response(status, json={"error": {"message": words, "code": status}})

    return answer


def generate(model: ServerModel, pictures: int = 1) -> Reply:
    shown = [picture(seed) for seed in range(pictures)]
    return model.generate(prompt(*shown), GenerationSettings(), lambda text: None, lambda: False)


CONTEXT = (
    "This model's maximum context length is 4096 tokens. However, you requested 9000 tokens "
    "(8744 in the messages, 256 in the completion)."
)


@pytest.mark.parametrize(
    ("status", "said", "kind", "words"),
    [
        (
            400,
            "At most 1 image(s) may be provided in one prompt.",
            UnfitPrompt,
            r"at most 1 pictures.*3 were sent; choose montage.*--limit-mm-per-prompt.*3",
        ),
        (400, CONTEXT, UnfitPrompt, r"at most 4096 tokens.*3 pictures.*--max-model-len"),
        (400, "the request exceeds the available context size", UnfitPrompt, "context"),
        (401, f"Incorrect API key provided: {KEY}", ModelUnavailable, "MRI_VQA_SERVER_KEY"),
        (404, "no such model", ModelUnavailable, r"serves other/vlm; ask for server:other/vlm"),
        (413, "", UnfitPrompt, "too large"),
        (429, "slow down", ServerRefused, "too busy after several tries"),
        (500, f"CUDA error with {KEY}", ServerRefused, r"failed \(500: CUDA error with \[key\]"),
        (503, "loading", ServerRefused, "too busy"),
        (422, "seed: not wanted", ServerRefused, "seed: not wanted"),
    ],
)
def test_refusals_in_words(status: int, said: str, kind: type[UserError], words: str) -> None:
    with pytest.raises(kind, match=words) as caught:
        generate(server(says(status, said)), pictures=3)
    assert KEY not in str(caught.value)


def failing(error: Exception) -> Handler:
    def answer(request: httpx.Request) -> httpx.Response:
        raise error

    return answer


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (httpx.ConnectError("refused"), "refuses the connection; start it"),
        (httpx.ConnectTimeout("slow"), "did not let us in within 10 s"),
        (httpx.ReadTimeout("slow"), "sent nothing for 300 s"),
        (httpx.WriteTimeout("slow"), "longer than 60 s to take the prompt"),
        (httpx.RemoteProtocolError("gone"), "closed the connection in the middle"),
    ],
)
def test_faults_of_the_connection_in_words(error: Exception, words: str) -> None:
    with pytest.raises(ServerRefused, match=words):
        generate(server(failing(error)))


@pytest.mark.parametrize(
    ("trouble", "tries"),
    [(429, 4), (503, 4), (httpx.ConnectError("no"), 4), (500, 1), (400, 1),
     (httpx.ReadTimeout("no"), 1)],
)  # fmt: skip
def test_only_a_busy_or_absent_server_is_asked_again(trouble: Any, tries: int) -> None:
    asked = []

    def answer(request: httpx.Request) -> httpx.Response:
        if request.method == "POST":
            asked.append(request)
        if isinstance(trouble, Exception):
            raise trouble
        return httpx.Response(trouble, json={})

    with pytest.raises(UserError):
        generate(server(answer))
    assert len(asked) == tries


def test_a_server_that_was_busy_answers_after_all() -> None:
    answers = iter([429, 503, 200])

    def answer(request: httpx.Request) -> httpx.Response:
        status = next(answers)
        return httpx.Response(status, content=events(piece("A"), piece(finish="stop")))

    assert generate(server(answer)).text == "A"


def test_the_reply_is_streamed_whole_with_its_thinking_apart() -> None:
    thought = {"choices": [{"delta": {"reasoning_content": "Hmm."}}]}
    body = events(thought, piece("{\"answer\": "), piece('"B"}'), piece(None, "length"),
                  {"choices": [], "usage": {"completion_tokens": 17}})  # fmt: skip
    pieces: list[str] = []
    model = server(lambda request: httpx.Response(200, content=body))
    reply = model.generate(prompt(), GenerationSettings(), pieces.append, lambda: False)
    assert "".join(pieces) == reply.text == '{"answer": "B"}'
    assert (reply.thinking, reply.finish, reply.tokens) == ("Hmm.", "length", 17)
    assert (reply.model, reply.revision, reply.dtype) == ("server:org/vlm", None, None)


def test_a_stream_that_breaks_off_keeps_its_text_and_is_an_error() -> None:
    model = server(lambda r: httpx.Response(200, content=events(piece("The ans"), done=False)))
    reply = generate(model)
    assert (reply.text, reply.finish) == ("The ans", "error")
    assert reply.error is not None and "broke off in the middle" in reply.error


def test_an_error_inside_a_stream_is_told() -> None:
    body = events({"error": {"message": "out of memory"}}, done=False)
    with pytest.raises(ServerRefused, match="out of memory"):
        generate(server(lambda request: httpx.Response(200, content=body)))


def test_empty_choices_are_no_answer_but_an_error() -> None:
    model = server(lambda request: httpx.Response(200, content=events({"choices": []})))
    with pytest.raises(ServerRefused, match="no choices"):
        generate(model)


def test_what_is_no_api_is_told() -> None:
    with pytest.raises(ServerRefused, match="no JSON"):
        server(lambda request: httpx.Response(200, text="<html>")).score_options(prompt())


def test_pictures_are_sent_as_they_are_and_the_question_last() -> None:
    bodies: list[dict[str, Any]] = []

    def answer(request: httpx.Request) -> httpx.Response:
        bodies.append(json.loads(request.content))
        assert request.headers["authorization"] == f"Bearer {KEY}"
        return httpx.Response(200, content=events(piece("A", "stop")))

    generate(server(answer), pictures=2)
    content = bodies[0]["messages"][0]["content"]
    assert [part["type"] for part in content] == ["text", "image_url", "text", "image_url", "text"]
    assert content[1]["image_url"]["url"].startswith("data:image/png;base64,iVBOR")
    assert content[-1]["text"].startswith("Axial FLAIR, slice 1\nWhich side")
    assert (bodies[0]["temperature"], bodies[0]["seed"]) == (0.0, 0)


def listed(**tokens: float) -> dict[str, Any]:
    top = [{"token": token, "logprob": math.log(share)} for token, share in tokens.items()]
    return {"choices": [{"message": {"content": "A"}, "logprobs": {
        "content": [{"token": "A", "logprob": -0.1, "top_logprobs": top}]}}]}  # fmt: skip


def test_letters_are_read_from_the_listed_tokens() -> None:
    body = listed(**{"A": 0.4, " A": 0.1, "ĠB": 0.25, "C": 0.05, "Z": 0.01})
    scores = server(lambda request: httpx.Response(200, json=body)).score_options(prompt())
    assert scores is not None and scores.word_probabilities is None
    assert scores.probabilities == pytest.approx((0.625, 0.3125, 0.0625))
    assert scores.letter_mass == pytest.approx(0.8)


@pytest.mark.parametrize(
    "body",
    [
        {"choices": [{"message": {"content": "A"}, "logprobs": None}]},
        {"choices": [{"message": {"content": "A"}}]},
        {"choices": []},
        listed(x=0.5, y=0.4),
        listed(A=0.6, B=0.2),
    ],
    ids=["ignored", "absent", "empty", "no letter", "C may hold up to 0.2"],
)
def test_without_probabilities_there_are_none(body: dict[str, Any]) -> None:
    assert server(lambda request: httpx.Response(200, json=body)).score_options(prompt()) is None


def test_a_letter_that_can_hold_next_to_nothing_counts_as_nothing() -> None:
    body = listed(A=0.7, B=0.2, x=0.001)
    scores = server(lambda request: httpx.Response(200, json=body)).score_options(prompt())
    assert scores is not None and scores.probabilities[2] == pytest.approx(0.0, abs=1e-9)


def test_a_server_that_cannot_be_asked_for_probabilities_is_asked_once() -> None:
    asked = []

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(request.method)
        return httpx.Response(422, json={"detail": "Unexpected fields in the request"})

    model = server(answer)
    assert model.score_options(prompt()) is None
    assert model.score_options(prompt()) is None
    assert asked.count("POST") == 1


def test_one_prefix_goes_first_then_a_few_at_once() -> None:
    going, most, order = 0, 0, []

    async def answer(request: httpx.Request) -> httpx.Response:
        nonlocal going, most
        going, most = going + 1, max(most, going + 1)
        order.append(len(json.loads(request.content)["messages"][0]["content"]))
        await asyncio.sleep(0.01)
        going -= 1
        return httpx.Response(200, json=listed(A=0.5, B=0.3, C=0.1))

    model = server(answer)
    asked = [prompt(picture(1)), prompt(picture(1), picture(2))] * 6
    assert all(model.score_many(asked))
    assert order == [3] * 6 + [5] * 6, "prompts about the same pictures stay together"
    assert most == AT_ONCE


def test_cancel_is_heard_while_the_server_says_nothing() -> None:
    class Silence(httpx.AsyncByteStream):
        async def __aiter__(self) -> AsyncIterator[bytes]:
            yield events(piece("One"), done=False)
            await asyncio.sleep(60)

    model = server(lambda request: httpx.Response(200, stream=Silence()))
    pieces: list[str] = []
    started = time.monotonic()
    reply = model.generate(prompt(), GenerationSettings(), pieces.append, lambda: bool(pieces))
    assert (reply.finish, reply.text) == ("cancelled", "One")
    assert time.monotonic() - started < 50


def test_the_key_is_in_no_log_no_text_and_no_error(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    model = server(lambda request: httpx.Response(200, content=events(piece("A", "stop"))))
    reply = generate(model)
    assert KEY not in f"{model!r} {reply!r} {model.card} {caplog.text}"


@pytest.mark.parametrize(
    "url", ["http://me:secret@host/v1", "https://host/v1?key=secret", "host:8000", "file:///x"]
)
def test_an_address_that_holds_a_secret_or_is_none_is_refused(url: str) -> None:
    with pytest.raises(ModelUnavailable, match="MRI_VQA_SERVER_URL") as caught:
        server_address({"MRI_VQA_SERVER_URL": url})
    assert "secret" not in str(caught.value)


def test_the_address_comes_from_the_environment() -> None:
    named = {"MRI_VQA_SERVER_URL": "https://host/v1/", "MRI_VQA_SERVER_KEY": KEY}
    address = server_address(named)
    assert (address.url, address.is_local) == ("https://host/v1", False)
    assert KEY not in repr(address)
    assert server_address({}).is_local


@pytest.mark.parametrize("key", ["sk-schlüssel-1234", "sk-１２３４", "sk-12\n34", "sk-\u200b1234"])
def test_a_key_that_no_header_can_carry_is_refused_and_not_shown(key: str) -> None:
    with pytest.raises(ModelUnavailable, match="MRI_VQA_SERVER_KEY") as caught:
        server_address({"MRI_VQA_SERVER_URL": URL, "MRI_VQA_SERVER_KEY": key})
    told = f"{caught.value!r} {caught.value.__cause__!r} {caught.value.__context__!r}"
    assert key not in told and ascii(key)[1:-1] not in told and "sk-" not in told
