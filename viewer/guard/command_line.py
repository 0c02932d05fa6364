"""The settings of the guard: host, names, login; refused where they would leave a door open."""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping
from pathlib import Path

from viewer.errors import BadSetting
from viewer.guard.login import VARIABLE, Login, login_of
from viewer.guard.rules import Rules
from viewer.guard.visitors import is_loopback, visitors

OPEN_FLAG = "--no-login-on-open-network"


def takes_guard(parser: argparse.ArgumentParser) -> None:
    """Arguments of `serve` that say who may call."""
    add = parser.add_argument
    add(
        "--auth", default=None, metavar="USER:FILE",
        help=f"ask for a login; FILE holds the password (or set {VARIABLE}=USER:PASSWORD)",
    )  # fmt: skip
    add(
        "--allowed-host", action="append", default=[], metavar="NAME",
        help="a further name that browsers may reach this server by (may be repeated)",
    )  # fmt: skip
    add(
        OPEN_FLAG, action="store_true", dest="open_without_login",
        help="let everybody on the network in who can reach --host",
    )  # fmt: skip


def checked_login(
    arguments: argparse.Namespace, environment: Mapping[str, str] = os.environ
) -> Login | None:
    """The login that is asked for; `BadSetting` for a server that anybody could enter unasked."""
    login = login_of(arguments.auth, environment)
    if login is None and not is_loopback(arguments.host) and not arguments.open_without_login:
        raise BadSetting(
            f"Expected a login for a server that other machines reach ({arguments.host}), got "
            f"none; give --auth USER:FILE, or say {OPEN_FLAG}."
        )
    return login


def rules_of(
    arguments: argparse.Namespace, files: Path, environment: Mapping[str, str] = os.environ
) -> Rules:
    """What the guard goes by; raises what `checked_login` raises."""
    login = checked_login(arguments, environment)
    return Rules(visitors(arguments.host, tuple(arguments.allowed_host)), login, files)
