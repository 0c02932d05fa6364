"""A login is asked for by name and password; the password shows nowhere."""

from __future__ import annotations

import argparse
import base64
from pathlib import Path

import pytest

from viewer.errors import BadSetting
from viewer.guard.command_line import rules_of, takes_guard
from viewer.guard.login import VARIABLE, login_of

SECRET = "correct-horse"


def basic(text: str) -> str:
    return "Basic " + base64.b64encode(text.encode()).decode()


def arguments(*given: str, host: str = "127.0.0.1") -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    parser.add_argument("--host")
    takes_guard(parser)
    return parser.parse_args(["--host", host, *given])


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "password").write_text(SECRET + "\n", encoding="utf-8")
    return tmp_path / "password"


def test_name_and_password_from_a_file(file: Path) -> None:
    login = login_of(f"anna:{file}", {})
    assert login is not None
    assert login.admits(basic(f"anna:{SECRET}"))
    assert SECRET not in repr(login)


def test_name_and_password_from_the_environment() -> None:
    login = login_of(None, {VARIABLE: f"anna:{SECRET}:with:colons"})
    assert login is not None
    assert login.admits(basic(f"anna:{SECRET}:with:colons"))


@pytest.mark.parametrize("header", [
    "", "Basic", "Basic ", "Basic !!!", basic("anna"), basic("anna:"), basic(f"eve:{SECRET}"),
    basic(f"anna:{SECRET}x"), basic(f"anna:{SECRET}\0"), f"Bearer {SECRET}", basic(f":{SECRET}"),
    "Basic ÿ", "Digest username=anna",
])  # fmt: skip
def test_anything_else_is_turned_away(header: str, file: Path) -> None:
    login = login_of(f"anna:{file}", {})
    assert login is not None and not login.admits(header)


@pytest.mark.parametrize("given", ["anna", "anna:", ":{file}", "anna:/nowhere", "anna:{folder}"])
def test_half_a_login_is_refused_without_its_password(given: str, file: Path) -> None:
    with pytest.raises(BadSetting, match="Expected --auth USER:FILE") as error:
        login_of(given.format(file=file, folder=file.parent), {})
    assert SECRET not in str(error.value)


def test_a_short_password_is_refused_and_not_told() -> None:
    with pytest.raises(BadSetting, match="at least 8 characters") as error:
        login_of(None, {VARIABLE: "anna:pw12"})
    assert "pw12" not in str(error.value)


def test_an_open_network_wants_a_login(tmp_path: Path, file: Path) -> None:
    with pytest.raises(BadSetting, match="--no-login-on-open-network"):
        rules_of(arguments(host="0.0.0.0"), tmp_path, {})
    assert rules_of(arguments("--auth", f"anna:{file}", host="0.0.0.0"), tmp_path, {}).login
    open_to_all = arguments("--no-login-on-open-network", host="0.0.0.0")
    assert rules_of(open_to_all, tmp_path, {}).login is None


def test_loopback_wants_none(tmp_path: Path) -> None:
    assert rules_of(arguments(), tmp_path, {}).login is None
