"""Ways to reach a file that has no address: every trick at every route that takes a name.

`{file}` stands for the absolute path of a file that must not leave, `{name}` for its name, and
`{up}` for the way from the data folder to the file.
"""

from __future__ import annotations

from urllib.parse import quote

TRICKS: dict[str, str] = {
    "absolute": "{file}",
    "without its first slash": "{relative}",
    "double slash": "/{file}",
    "file scheme": "file://{file}",
    "relative": "../../../../../../../../{relative}",
    "relative to the data": "{up}",
    "dots encoded": "%2e%2e/%2e%2e/%2e%2e/%2e%2e/%2e%2e/%2e%2e/{relative}",
    "slashes encoded": "..%2f..%2f..%2f..%2f..%2f..%2f{encoded}",
    "all encoded": "%2e%2e%2f%2e%2e%2f%2e%2e%2f%2e%2e%2f%2e%2e%2f{encoded}",
    "encoded twice": "%252e%252e%252f%252e%252e%252f%252e%252e%252f{twice}",
    "encoded three times": "%25252e%25252e%25252f%25252e%25252e%25252f{twice}",
    "over-long dots": "%c0%ae%c0%ae%c0%af%c0%ae%c0%ae%c0%af{relative}",
    "full-width dots": "\uff0e\uff0e/\uff0e\uff0e/\uff0e\uff0e/{relative}",
    "back-slashes": "..\\..\\..\\..\\..\\..\\{relative}",
    "dots and dots": "....//....//....//....//{relative}",
    "a dot in between": "./.././../././../{relative}",
    "semicolons": "..;/..;/..;/..;/{relative}",
    "NUL in front": "%00{file}",
    "NUL behind": "{file}%00.nii",
    "NUL in between": "T1%00/../../../{relative}",
    "a query inside": "{file}?x=.nii",
    "a fragment inside": "{file}%23.nii",
    "link in the data": "{link}",
    "unlisted in the data": "{unlisted}",
    "hidden in the data": "{hidden}",
    "another study's file": "{other}",
    "home": "~/{relative}",
    "the process": "/proc/self/root{file}",
    "the process's environment": "/proc/self/environ",
    "the password file": "/etc/passwd",
    "over-long": "{longest}",
    "many parts": "{deep}",
    "another host": "http://127.0.0.1:9/{name}",
    "another host, loud": "HTTP://127.0.0.1:9/{name}",
}
"""Name -> what stands where a name is expected."""

ROUTES: tuple[str, ...] = (
    "/volumes/{trick}",
    "/volumes/{trick}/T1.nii",
    "/volumes/{study}/{trick}.nii",
    "/volumes/{study}/{trick}",
    "/masks/{trick}/expert.nii",
    "/masks/{study}/{trick}.nii",
    "/static/panes/{trick}",
    "/static/niivue/{trick}",
    "/static/{trick}",
    "/assets/{trick}",
    "/svelte/{trick}",
    "/file={trick}",
    "/file/{trick}",
    "/gradio_api/file={trick}",
    "/gradio_api/file/{trick}",
    "/gradio_api/proxy={trick}",
    "/gradio_api/custom_component/x/client/component/{trick}",
    "/gradio_api/stream/{trick}",
    "/gradio_api/upload_progress?upload_id={trick}",
    "//gradio_api/file={trick}",
    "/gradio_api//file={trick}",
    "/x/../gradio_api/file={trick}",
    "/%67radio_api/file={trick}",
    "/opened/{trick}/file?path={trick}",
    "/thumbnails/{trick}",
    "/pwa_icon/{trick}",
    "/{trick}",
)
"""Addresses that take a name, of every part of the application."""


def probes(names: dict[str, str]) -> list[str]:
    """Every trick at every route; `names` fills the places of both."""
    file = names["file"]
    filled = {
        **names,
        "relative": file.lstrip("/"),
        "encoded": quote(file.lstrip("/"), safe=""),
        "twice": quote(quote(file.lstrip("/"), safe=""), safe=""),
        "longest": "a" * 5000,
        "deep": "../" * 2000 + file.lstrip("/"),
    }
    return [
        route.replace("{study}", names["study"]).replace("{trick}", trick.format(**filled))
        for route in ROUTES
        for trick in TRICKS.values()
    ]
