"""The page in a window of its own, or in the browser."""

from __future__ import annotations

import os
import sys
import threading
import time
import webbrowser
from collections.abc import Callable, Mapping
from importlib.util import find_spec

from viewer.errors import UserError

SIZE = (1440, 900)
INSTALL = 'pip install -e ".[window]"'


def require_window(environment: Mapping[str, str] = os.environ) -> None:
    """Raise `UserError`, with what to do, where no window can be opened."""
    if find_spec("webview") is None:
        raise UserError(
            f"Expected pywebview for --window, got none; install it with: {INSTALL} "
            "(or use --open for the browser)."
        )
    screens = ("DISPLAY", "WAYLAND_DISPLAY")
    if sys.platform == "linux" and not any(environment.get(name) for name in screens):
        raise UserError(
            "Expected a screen for --window, got none (DISPLAY and WAYLAND_DISPLAY are unset); "
            "start without --window and open the address in a browser."
        )


def show_window(title: str, address: str) -> None:
    """Open the page in a window; returns when the user closes it. Main thread only."""
    import webview

    webview.create_window(title, address, width=SIZE[0], height=SIZE[1], text_select=True)
    try:
        webview.start()
    except webview.WebViewException as error:
        raise UserError(
            f"Expected a web view of the system for --window, got none; install one with: "
            f"{INSTALL} (or use --open for the browser)."
        ) from error


def open_browser(address: str, served: Callable[[], bool] | None = None) -> None:
    """Open the page in the browser: at once, or once it is `served`, without waiting here."""
    if served is None:
        webbrowser.open(address)
        return

    def wait() -> None:
        while not served():
            time.sleep(0.1)
        webbrowser.open(address)

    threading.Thread(target=wait, daemon=True).start()
