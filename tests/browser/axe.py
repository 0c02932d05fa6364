"""axe-core, fetched by npm from the registry that the machine is set to, pinned by its hash.

It is kept in the user's cache, outside the repository.
"""

from __future__ import annotations

import base64
import hashlib
import shutil
import subprocess
import tarfile
from pathlib import Path
from typing import Any

from platformdirs import user_cache_dir
from playwright.sync_api import Page

from tests.conftest import skip

VERSION = "4.14.1"
INTEGRITY = (
    "FHfa+lmNjQZfJz1q8wKqIDwC6DExcHt/pkjNQb09a3NPjCKg2rhu5qb2S4r76ASyFNNtuFooJpZe37OgudVGtQ=="
)
"""sha512 of the package, as its registry states it."""
SLOW_S = 120


def axe_source() -> str:
    """The text of axe.min.js; skips the test by name where npm cannot fetch it."""
    folder = Path(user_cache_dir("mri-vqa-viewer-tests"))
    package = folder / f"axe-core-{VERSION}.tgz"
    if not package.is_file():
        _fetch(folder)
    digest = base64.b64encode(hashlib.sha512(package.read_bytes()).digest()).decode()
    assert digest == INTEGRITY, f"axe-core {VERSION} is not the package that was pinned"
    with tarfile.open(package) as archive:
        member = archive.extractfile("package/axe.min.js")
        assert member is not None
        return member.read().decode()


def _fetch(folder: Path) -> None:
    npm = shutil.which("npm")
    if npm is None:
        skip("no npm on this machine, which fetches axe-core")
    folder.mkdir(parents=True, exist_ok=True)
    command = [npm, "pack", f"axe-core@{VERSION}", "--silent"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=SLOW_S)
    if done.returncode:
        skip(f"npm could not fetch axe-core {VERSION}")


def grave_faults(page: Page) -> list[str]:
    """Serious and critical violations on the page as it is, a line each."""
    found: list[dict[str, Any]] = page.evaluate(
        "axe.run(document, { resultTypes: ['violations'] }).then((done) => done.violations)"
    )
    return [
        f"{fault['id']} at {node['target']}: {node.get('failureSummary', '').splitlines()[-1:]}"
        for fault in found
        if fault["impact"] in {"serious", "critical"}
        for node in fault["nodes"]
    ]
