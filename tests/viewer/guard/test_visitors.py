"""Who may ask: this server's own page under a name that it knows, and nobody else."""

from __future__ import annotations

import pytest

from viewer.guard.visitors import is_loopback, visitors

HERE = "127.0.0.1:7860"
ANSWERED = {
    "the page itself": ("127.0.0.1", {"host": HERE, "origin": f"http://{HERE}"}),
    "by name": ("127.0.0.1", {"host": "localhost:7860", "origin": "http://localhost:7860"}),
    "another loopback address": ("127.0.0.1", {"host": "127.0.0.9:7860"}),
    "IPv6": ("::1", {"host": "[::1]:7860", "origin": "http://[::1]:7860"}),
    "a program": ("127.0.0.1", {"host": HERE}),
    "a typed address": ("127.0.0.1", {"host": HERE, "sec-fetch-site": "none"}),
    "its own scripts": ("127.0.0.1", {"host": HERE, "sec-fetch-site": "same-origin"}),
    "a link elsewhere": ("127.0.0.1", {
        "host": HERE, "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate",
        "sec-fetch-dest": "document"}),
    "an address on the network": ("0.0.0.0", {"host": "10.1.2.3:80", "origin": "http://10.1.2.3:80"}),
    "a name that was given": ("0.0.0.0", {"host": "mri.example", "origin": "https://mri.example"}),
    "behind a proxy": ("127.0.0.1", {"host": HERE, "origin": "https://mri.example"}),
}  # fmt: skip
REFUSED = {
    "no host": ("127.0.0.1", {}),
    "a rebound name": ("127.0.0.1", {"host": "evil.example:7860"}),
    "a rebound name, open": ("0.0.0.0", {"host": "evil.example:7860"}),
    "a name that begins alike": ("127.0.0.1", {"host": "localhost.evil.example"}),
    "a name that holds the address": ("127.0.0.1", {"host": "127.0.0.1.evil.example"}),
    "an address on the network": ("127.0.0.1", {"host": "10.1.2.3:7860"}),
    "two hosts": ("127.0.0.1", {"host": f"{HERE}, evil.example"}),
    "a user in the host": ("127.0.0.1", {"host": "localhost@evil.example"}),
    "half a bracket": ("127.0.0.1", {"host": "[::1"}),
    "another site": ("127.0.0.1", {"host": HERE, "origin": "http://evil.example"}),
    "another port": ("127.0.0.1", {"host": HERE, "origin": "http://127.0.0.1:3000"}),
    "no origin at all": ("127.0.0.1", {"host": HERE, "origin": "null"}),
    "a file": ("127.0.0.1", {"host": HERE, "origin": "file://127.0.0.1:7860"}),
    "a broken origin": ("127.0.0.1", {"host": HERE, "origin": "http://[::1"}),
    "a picture in another page": ("127.0.0.1", {
        "host": HERE, "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors",
        "sec-fetch-dest": "image"}),
    "another port's script": ("127.0.0.1", {"host": HERE, "sec-fetch-site": "same-site"}),
    "a frame in another page": ("127.0.0.1", {
        "host": HERE, "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate",
        "sec-fetch-dest": "iframe"}),
}  # fmt: skip


@pytest.mark.parametrize("case", ANSWERED)
def test_answered(case: str) -> None:
    host, headers = ANSWERED[case]
    assert visitors(host, ("mri.example",)).refusal("GET", headers) is None


@pytest.mark.parametrize("case", REFUSED)
def test_refused_in_one_sentence(case: str) -> None:
    host, headers = REFUSED[case]
    sentence = visitors(host, ("mri.example",)).refusal("GET", headers)
    assert sentence is not None and sentence.startswith("Expected ") and "\n" not in sentence


def test_a_link_elsewhere_may_not_send_a_form() -> None:
    _, headers = ANSWERED["a link elsewhere"]
    assert visitors("127.0.0.1").refusal("POST", headers) is not None


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "LOCALHOST", "::1", "127.9.9.9"])
def test_loopback(host: str) -> None:
    assert is_loopback(host)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "10.0.0.1", "", "my-machine", "localhost.lan"])
def test_not_loopback(host: str) -> None:
    assert not is_loopback(host)
