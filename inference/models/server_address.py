"""Where a model server listens, and the key it wants: both from the environment only.

The key is sent in one header and stands nowhere else: not in a record, a log,
a page or an error's sentence.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import SplitResult, urlsplit

from inference.models.entries import Kind
from inference.models.errors import ModelUnavailable


@dataclass(frozen=True)
class Variables:
    """Names of the environment variables, and the address where nothing else is said."""

    url: str
    key: str
    default: str


CHAT = Variables("MRI_VQA_SERVER_URL", "MRI_VQA_SERVER_KEY", "http://127.0.0.1:8000/v1")
"""vLLM and `transformers serve` listen there."""

VOLUME = Variables("MRI_VQA_VOLUME_URL", "MRI_VQA_VOLUME_KEY", "http://127.0.0.1:8010/v1")
"""A volume model has an environment and a server of its own, beside any other."""

VARIABLES: dict[Kind, Variables] = {"server": CHAT, "volume-server": VOLUME}

URL_NAME, KEY_NAME = CHAT.url, CHAT.key

LOOPBACK = {"127.0.0.1", "localhost", "::1"}
HIDDEN = "[key]"


@dataclass(frozen=True)
class ServerAddress:
    """`url` is the root of the OpenAI API, usually ending in `/v1`; `key` may be empty.

    `variables` are where both were read. `ModelUnavailable` for a key that no
    header can carry; its sentence never holds the key.
    """

    url: str
    key: str = field(default="", repr=False)
    variables: Variables = CHAT

    def __post_init__(self) -> None:
        if not (self.key.isascii() and self.key.isprintable()):
            raise ModelUnavailable(
                f"Expected {self.variables.key} to hold ASCII letters, digits and signs only, but "
                "it holds another character; copy the key again from where it was issued."
            )

    @property
    def is_local(self) -> bool:
        """True on this machine, where no proxy belongs in between."""
        return urlsplit(self.url).hostname in LOOPBACK

    @property
    def headers(self) -> dict[str, str]:
        """What proves who asks."""
        return {"Authorization": f"Bearer {self.key}"} if self.key else {}

    def without_key(self, text: str) -> str:
        """`text`, in which a server may have sent the key back, without it."""
        return text.replace(self.key, HIDDEN) if self.key else text


def server_address(
    environment: Mapping[str, str] | None = None, variables: Variables = CHAT, called: str = ""
) -> ServerAddress:
    """The address that the environment names; `ModelUnavailable` for one that holds a secret.

    A user name, a password or a query would be shown wherever the address is. `called` is
    how the user gave the address, where it was not by the variable.
    """
    called = called or variables.url
    known = os.environ if environment is None else environment
    url = known.get(variables.url, "").strip() or variables.default
    parts = _parts(url)
    if parts is None:
        raise ModelUnavailable(
            f"Expected {called} to be the address of a server such as {variables.default}, "
            "but its host or port is none; correct it."
        )
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise ModelUnavailable(
            f"Expected {called} to be the address of a server such as {variables.default}, "
            "but it begins with neither http:// nor https://; correct it."
        )
    if parts.username or parts.password or parts.query:
        raise ModelUnavailable(
            f"Expected {called} without a user name, a password or a query; give the key in "
            f"{variables.key} instead."
        )
    return ServerAddress(url.rstrip("/"), known.get(variables.key, "").strip(), variables)


def _parts(url: str) -> SplitResult | None:
    """The address taken apart; None for half a bracket, or a port that is none."""
    try:
        parts = urlsplit(url)
        return parts if parts.port is None or parts.port > 0 else None
    except ValueError:
        return None
