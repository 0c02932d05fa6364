"""A server for a volume model that runs in an environment of its own, such as Med3DVLM.

This file needs Python and NumPy only and imports nothing else of the viewer:
copy it into the model's environment and start it there,

    python volume_shim.py --network my_model:load --name Med3DVLM --port 8010

then ask for `server:Med3DVLM` (or volume-server:NAME) with MRI_VQA_VOLUME_URL
set to http://127.0.0.1:8010/v1. `my_model.load()` is written by whoever knows
the model: it returns a function

    answer(volume, question, settings) -> str, or an iterator of pieces of text

with `volume` float32 (slices, rows, columns) in 0..1, lowest slice first;
`question` all the words; `settings` a dict with temperature, max_tokens, seed,
and `volume`, the field of the request without its data (sides, sequence, …).
A function with an attribute `next_token(volume, question, begun)` that returns
{token: log-probability} lets the viewer read option probabilities as well.
`resampled` brings the volume to the shape that the network was trained on.

How a volume travels is written in `inference/models/volume_requests.py`.
Requests are answered one at a time. Nothing is unpickled. Only this machine is
listened to unless --host says otherwise; a key wanted of every request is read
from MRI_VQA_VOLUME_KEY.
"""

from __future__ import annotations

import argparse
import base64
import importlib
import io
import json
import os
import sys
import threading
import zipfile
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import numpy as np

Answer = Callable[[Any, str, dict[str, Any]], Any]

LARGEST_BODY = 256 << 20
"""Bytes of a request: many times a volume of 128×256×256."""

LARGEST_VOLUME = 1 << 28
"""Bytes that the voxels of a request may unpack to."""

UNREADABLE = (KeyError, ValueError, TypeError, OSError, EOFError, zipfile.BadZipFile)
"""What NumPy and zipfile raise on what is no volume."""

TOP = 20
"""Tokens listed where log-probabilities are wanted."""


class BadRequest(Exception):
    """A request that cannot be answered, with the status and the sentence to say so."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status


class Shim(ThreadingHTTPServer):
    """The server. `answer` is called by one request at a time."""

    daemon_threads = True

    def __init__(self, address: tuple[str, int], name: str, answer: Answer, key: str = "") -> None:
        super().__init__(address, Handler)
        self.name, self.answer, self.key = name, answer, key
        self.turn = threading.Lock()


class Handler(BaseHTTPRequestHandler):
    """The two addresses of the OpenAI API that the viewer asks."""

    server: Shim
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        """Which model is served."""
        self._guarded(self._models)

    def do_POST(self) -> None:
        """A chat request with one volume."""
        self._guarded(self._chat)

    def log_message(self, format: str, *arguments: Any) -> None:
        """Nothing of a request is written anywhere."""

    def _guarded(self, work: Callable[[], None]) -> None:
        try:
            wanted = f"Bearer {self.server.key}"
            if self.server.key and self.headers.get("Authorization") != wanted:
                raise BadRequest(401, "Expected the key of this server, got another or none.")
            work()
        except BadRequest as error:
            self._json({"error": {"message": str(error)}}, error.status)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True  # the asker went away

    def _models(self) -> None:
        if not self.path.rstrip("/").endswith("/models"):
            raise BadRequest(404, f"There is nothing at {self.path}.")
        self._json({"object": "list", "data": [{"id": self.server.name, "object": "model"}]})

    def _chat(self) -> None:
        body = self._body()
        if not self.path.rstrip("/").endswith("/chat/completions"):
            raise BadRequest(404, f"There is nothing at {self.path}.")
        if body.get("model") != self.server.name:
            raise BadRequest(404, f"The model {body.get('model')} is not found here.")
        volume, question, begun, about = read_messages(body.get("messages"))
        settings = {name: body.get(name) for name in ("temperature", "max_tokens", "seed")}
        with self.server.turn:
            if body.get("logprobs"):
                self._json(self._one_token(volume, question, begun))
                return
            said = self.server.answer(volume, question, {**settings, "volume": about})
            pieces = iter([said]) if isinstance(said, str) else iter(said)
            if body.get("stream"):
                self._stream(pieces)
            else:
                self._json(_reply("".join(pieces)))

    def _body(self) -> dict[str, Any]:
        length = int(self.headers.get("Content-Length") or 0)
        if length > LARGEST_BODY:
            self.close_connection = True
            raise BadRequest(413, f"The request is larger than {LARGEST_BODY} bytes.")
        try:
            body = json.loads(self.rfile.read(length))
        except ValueError:
            raise BadRequest(400, "Expected JSON, got something else.") from None
        if not isinstance(body, dict):
            raise BadRequest(400, "Expected a JSON object, got something else.")
        return body

    def _one_token(self, volume: Any, question: str, begun: str) -> dict[str, Any]:
        """Log-probabilities of what follows `begun`; none where the model tells none."""
        tell = getattr(self.server.answer, "next_token", None)
        if tell is None:
            return _reply("")
        told = tell(volume, question, begun)
        ranked = sorted(told.items(), key=lambda pair: -pair[1])[:TOP]
        listed = [{"token": token, "logprob": float(share)} for token, share in ranked]
        reply = _reply(ranked[0][0])
        reply["choices"][0]["logprobs"] = {"content": [{**listed[0], "top_logprobs": listed}]}
        return reply

    def _stream(self, pieces: Iterator[str]) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True
        for text in pieces:
            self._event({"choices": [{"index": 0, "delta": {"content": text}}]})
        self._event({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})
        self.wfile.write(b"data: [DONE]\n\n")

    def _event(self, event: dict[str, Any]) -> None:
        self.wfile.write(f"data: {json.dumps(event)}\n\n".encode())
        self.wfile.flush()

    def _json(self, document: dict[str, Any], status: int = 200) -> None:
        content = json.dumps(document).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)


def read_messages(messages: Any) -> tuple[Any, str, str, dict[str, Any]]:
    """(volume, question, begun, about): what the turns hold; `BadRequest` without one volume.

    `begun` is a turn of the model's own that it is to continue, `about` the
    volume's field without its data.
    """
    texts: list[str] = []
    fields: list[dict[str, Any]] = []
    begun = ""
    for message in messages if isinstance(messages, list) else []:
        content = message.get("content")
        parts: list[dict[str, Any]] = content or []
        if isinstance(content, str):
            parts = [{"type": "text", "text": content}]
        if message.get("role") == "assistant":
            begun += "".join(part.get("text", "") for part in parts)
            continue
        texts += [part["text"] for part in parts if part.get("type") == "text"]
        fields += [part["volume"] for part in parts if part.get("type") == "volume"]
    if len(fields) != 1:
        raise BadRequest(400, f"Expected one part of type volume, got {len(fields)}.")
    field = dict(fields[0])
    return read_volume(field), "\n".join(texts), begun, {**field, "data": None}


def read_volume(field: dict[str, Any]) -> Any:
    """float32 (slices, rows, columns) in 0..1 from the field of a request."""
    if field.get("format") != "npz":
        raise BadRequest(400, f"Expected a volume as npz, got {field.get('format')!r}.")
    try:
        packed = io.BytesIO(base64.b64decode(field["data"], validate=True))
        with zipfile.ZipFile(packed) as archive:
            if archive.getinfo("volume.npy").file_size > LARGEST_VOLUME:
                raise ValueError("too many voxels")
        packed.seek(0)
        with np.load(packed, allow_pickle=False) as file:
            array = file["volume"]
    except UNREADABLE as error:
        raise BadRequest(400, f"Expected a readable volume, got none ({error}).") from None
    wanted = field.get("shape")
    if array.dtype != np.uint8 or list(array.shape) != wanted or array.ndim != 3:
        raise BadRequest(
            400, f"Expected uint8 voxels of shape {wanted}, got {array.dtype} {array.shape}."
        )
    return array.astype(np.float32) / 255.0


def resampled(volume: Any, shape: tuple[int, int, int]) -> Any:
    """The volume at that shape, linear along each axis, its outer faces kept in place."""
    for axis, wanted in enumerate(shape):
        here = volume.shape[axis]
        if here == wanted:
            continue
        place = (np.arange(wanted) + 0.5) * here / wanted - 0.5
        low = np.clip(np.floor(place).astype(int), 0, here - 1)
        high = np.clip(low + 1, 0, here - 1)
        share = np.clip(place - low, 0.0, 1.0).astype(volume.dtype)
        share = share.reshape([-1 if each == axis else 1 for each in range(3)])
        lower, upper = (np.take(volume, index, axis) for index in (low, high))
        volume = lower * (1 - share) + upper * share
    return volume


def _reply(text: str) -> dict[str, Any]:
    message = {"role": "assistant", "content": text}
    return {"choices": [{"index": 0, "message": message, "finish_reason": "stop"}]}


def main(arguments: list[str] | None = None) -> None:
    """Serve until it is stopped."""
    parser = argparse.ArgumentParser(description="Serve a volume model to MRI VQA Viewer.")
    parser.add_argument("--network", required=True, metavar="MODULE:FUNCTION")
    parser.add_argument("--name", required=True, help="the model's name, as it is asked for")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8010)
    chosen = parser.parse_args(arguments)
    sys.path.insert(0, str(Path.cwd()))  # as `python -m` does it
    module, _, function = chosen.network.partition(":")
    answer = getattr(importlib.import_module(module), function or "load")()
    key = os.environ.get("MRI_VQA_VOLUME_KEY", "")
    with Shim((chosen.host, chosen.port), chosen.name, answer, key) as server:
        print(f"{chosen.name} listens at http://{chosen.host}:{server.server_port}/v1", flush=True)
        server.serve_forever()


if __name__ == "__main__":
    main()
