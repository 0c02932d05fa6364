"""Headers that tell a browser what the page may do: nothing that it does not need.

Scripts run only from this server, or with the nonce of this very answer: a
text that got into the page as HTML can neither run nor call another host.
"""

from __future__ import annotations

import re
import secrets

SCRIPT = re.compile(rb"<script(?=[\s>])")

RULES = (
    ("default-src", "'self'"),
    # Gradio makes functions of `js` and `js_on_load` from their text, which is our own
    ("script-src", "'self' 'unsafe-eval' 'nonce-{nonce}'"),
    ("style-src", "'self' 'unsafe-inline'"),  # Svelte and our bars set style attributes
    ("img-src", "'self' data: blob:"),
    ("font-src", "'self' data:"),
    ("connect-src", "'self' blob: data:"),
    ("worker-src", "'self' blob:"),
    ("media-src", "'self' data: blob:"),
    ("object-src", "'none'"),
    ("base-uri", "'self'"),
    ("form-action", "'self'"),
    ("frame-ancestors", "'none'"),
)

HEADERS = (
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "same-origin"),
    ("x-frame-options", "DENY"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
    ("permissions-policy", "camera=(), microphone=(), geolocation=(), payment=(), usb=()"),
)


def content_policy(nonce: str) -> str:
    """The content security policy of one answer."""
    return "; ".join(f"{name} {value.format(nonce=nonce)}" for name, value in RULES)


def new_nonce() -> str:
    """A word that nobody can guess, for one answer."""
    return secrets.token_urlsafe(16)


def with_nonce(html: bytes, nonce: str) -> bytes:
    """The page with the nonce on each of its own scripts."""
    return SCRIPT.sub(f'<script nonce="{nonce}"'.encode(), html)
