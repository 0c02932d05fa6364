"""One user name and one password, asked for by the browser's own dialog (HTTP Basic).

They protect every address alike, page, volumes, masks, downloads and Gradio's
own, but for the two that only tell that the application runs. The password is
never taken from the command line, where other users of the machine could read it.
"""

from __future__ import annotations

import base64
import binascii
import hmac
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from viewer.errors import BadSetting

VARIABLE = "MRI_VQA_AUTH"
SHORTEST = 8
CHALLENGE = 'Basic realm="MRI VQA Viewer", charset="UTF-8"'


@dataclass(frozen=True)
class Login:
    """`digest` is the sha256 of "user:password"; neither is kept in clear."""

    user: str
    digest: bytes = field(repr=False)

    def admits(self, authorization: str) -> bool:
        """Whether the header `Authorization` holds the right name and password."""
        scheme, _, encoded = authorization.partition(" ")
        if scheme.lower() != "basic":
            return False
        try:
            given = base64.b64decode(encoded.strip(), validate=True)
        except (binascii.Error, ValueError):
            return False
        return hmac.compare_digest(sha256(given).digest(), self.digest)


def login_of(given: str | None, environment: Mapping[str, str]) -> Login | None:
    """The login that `--auth USER:FILE` or MRI_VQA_AUTH=USER:PASSWORD asks for; None for none.

    Raises `BadSetting`; its sentence never holds the password.
    """
    if given is not None:
        user, _, file = given.partition(":")
        return _login(user, _first_line(file), "--auth USER:FILE")
    if VARIABLE in environment:
        user, _, password = environment[VARIABLE].partition(":")
        return _login(user, password, f"{VARIABLE}=USER:PASSWORD")
    return None


def _login(user: str, password: str, form: str) -> Login:
    if not user or len(password) < SHORTEST:
        raise BadSetting(
            f"Expected {form} with a user name and a password of at least {SHORTEST} characters, "
            f"got {'a shorter password' if user else 'no user name'}; give both."
        )
    return Login(user, sha256(f"{user}:{password}".encode()).digest())


def _first_line(file: str) -> str:
    try:
        text = Path(file).expanduser().read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise BadSetting(
            f"Expected --auth USER:FILE with a readable file that holds the password, got "
            f"{type(error).__name__}; give its path (or set {VARIABLE})."
        ) from None
    return text.splitlines()[0].strip() if text else ""
