"""Where a model server listens, and the key it wants: both from the environment only.

The key is sent in one header and stands nowhere else: not in a record, a log,
a page or an error's sentence.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from inference.models.errors import ModelUnavailable

URL_NAME = "MRI_VQA_SERVER_URL"
KEY_NAME = "MRI_VQA_SERVER_KEY"
DEFAULT_URL = "http://127.0.0.1:8000/v1"
"""Where vLLM and `transformers serve` listen when nothing else is said."""

LOOPBACK = {"127.0.0.1", "localhost", "::1"}
HIDDEN = "[key]"


@dataclass(frozen=True)
class ServerAddress:
    """`url` is the root of the OpenAI API, usually ending in `/v1`; `key` may be empty."""

    url: str
    key: str = field(default="", repr=False)

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


def server_address(environment: Mapping[str, str] | None = None) -> ServerAddress:
    """The address that the environment names; `ModelUnavailable` for one that holds a secret.

    A user name, a password or a query would be shown wherever the address is.
    """
    known = os.environ if environment is None else environment
    url = known.get(URL_NAME, "").strip() or DEFAULT_URL
    parts = urlsplit(url)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise ModelUnavailable(
            f"Expected {URL_NAME} to be the address of a server such as {DEFAULT_URL}, but it "
            "begins with neither http:// nor https://; correct it."
        )
    if parts.username or parts.password or parts.query:
        raise ModelUnavailable(
            f"Expected {URL_NAME} without a user name, a password or a query; give the key in "
            f"{KEY_NAME} instead."
        )
    return ServerAddress(url.rstrip("/"), known.get(KEY_NAME, "").strip())
