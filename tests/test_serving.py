"""The wall around a served application holds, so that what passes behind it calls nobody."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.serving import OFFLINE, REFUSED

CALLS = {
    "a name": "socket.getaddrinfo('example.org', 443)",
    "an address": "socket.create_connection(('192.0.2.1', 80))",
    "a datagram": "socket.socket(type=socket.SOCK_DGRAM).connect(('192.0.2.1', 9))",
    "by httpx": "__import__('httpx').get('http://example.org')",
}


@pytest.mark.parametrize("call", CALLS)
def test_a_call_to_another_host_is_refused_and_told(call: str) -> None:
    command = [sys.executable, "-c", f"import socket\n{CALLS[call]}"]
    known = os.environ | {"PYTHONPATH": str(OFFLINE)}
    done = subprocess.run(command, capture_output=True, text=True, env=known)
    assert done.returncode != 0
    assert REFUSED in done.stderr


def test_this_machine_may_be_called() -> None:
    code = (
        "import socket; place = socket.create_server(('127.0.0.1', 0)); "
        "socket.create_connection(place.getsockname()); socket.getaddrinfo('localhost', 1)"
    )
    known = os.environ | {"PYTHONPATH": str(OFFLINE)}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=known)
    assert (done.returncode, done.stderr) == (0, "")
