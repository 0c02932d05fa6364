"""The page in a window of its own, or in the browser."""

from __future__ import annotations

import os
import sys
import threading
import time
import webbrowser
from collections.abc import Callable, Mapping
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any

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

    webview.settings["ALLOW_DOWNLOADS"] = True
    window = webview.create_window(title, address, width=SIZE[0], height=SIZE[1], text_select=True)

    def mend() -> None:
        if webview.renderer == "qtwebengine":
            _answer_for_qt(window.native)

    window.events.before_show += mend
    try:
        webview.start(gui=window_toolkit())
    except webview.WebViewException as error:
        raise UserError(
            f"Expected a web view of the system for --window, got none; install one with: "
            f"{INSTALL} (or use --open for the browser)."
        ) from error


def window_toolkit(environment: Mapping[str, str] = os.environ) -> str | None:
    """Qt where it is installed: pywebview would try GTK first, and print a traceback."""
    if sys.platform != "linux" or "PYWEBVIEW_GUI" in environment or find_spec("qtpy") is None:
        return None
    return "qt"


def _answer_for_qt(shown: Any) -> None:
    """Copying and saving, which pywebview 6.2 answers with calls that Qt 6 does not know.

    An exception in an answer ends the process: PyQt's rule.
    """
    from qtpy.QtWebEngineWidgets import QWebEnginePage, QWebEngineSettings
    from qtpy.QtWidgets import QFileDialog

    page = shown.webview.page()

    def deny(origin: Any, feature: Any) -> None:
        policy = QWebEnginePage.PermissionPolicy.PermissionDeniedByUser
        page.setFeaturePermission(origin, feature, policy)

    def save(download: Any) -> None:
        wished = Path(download.downloadDirectory(), download.downloadFileName())
        chosen, _ = QFileDialog.getSaveFileName(shown, "", str(wished))
        if not chosen:
            download.cancel()
            return
        download.setDownloadDirectory(str(Path(chosen).parent))
        download.setDownloadFileName(Path(chosen).name)
        download.accept()

    clipboard = QWebEngineSettings.WebAttribute.JavascriptCanAccessClipboard
    page.settings().setAttribute(clipboard, True)
    for signal, answer in (
        (page.featurePermissionRequested, deny),
        (page.profile().downloadRequested, save),
    ):
        with suppress(TypeError, RuntimeError):  # where nothing answers yet
            signal.disconnect()
        signal.connect(answer)


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
