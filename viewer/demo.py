"""The demo studies: six synthetic gliomas, made once and kept in the user's cache.

Each lies in a folder of its own, in file names like UCSF-PDGM's, with `facts.json`
beside the images and the marker `demo-study.json` that the catalogue looks for.
"""

from __future__ import annotations

import contextlib
import gzip
import json
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import Any

import nibabel as nib
import numpy as np
from numpy.typing import NDArray

from viewer.arrays import Affine
from viewer.cache_folder import CACHE_VARIABLE, cache_folder
from viewer.demo_recipes import DEMO_STUDIES, DemoStudy
from viewer.errors import UnwritableFolder
from viewer.layouts.table import DEMO_MARKER
from viewer.synthesis import ALL_SEQUENCES, SYNTHESIS_VERSION, Anatomy, load_anatomy, synthesise

SPACING_MM = 1.0
WORKERS = 2
ABANDONED_S = 3600.0
"""A half-made folder that old belongs to a process that was killed."""

__all__ = ["CACHE_VARIABLE", "are_made", "cache_folder", "demo_folder", "demo_studies"]

Progress = Callable[[float, str], None]


def demo_folder(folder: Path) -> Path:
    """Where below `folder` this version's demo studies lie."""
    return folder / f"demo-v{SYNTHESIS_VERSION}"


def demo_studies(folder: Path, progress: Progress) -> list[str]:
    """Make what is missing below `demo_folder(folder)` and return all ids.

    `progress(share, sentence)` is called from this thread. A study appears
    whole or not at all: it is written to a hidden folder and renamed. Several
    processes may run this at once; a killed one is taken up where it stopped.
    `UnwritableFolder` where the folder cannot be written to.
    """
    root = demo_folder(folder)
    missing = [study for study in DEMO_STUDIES if not _is_made(root, study)]
    try:
        if missing:
            root.mkdir(parents=True, exist_ok=True)
            _make(missing, root, progress)
        _clear_abandoned(root)
    except OSError as error:
        raise UnwritableFolder(
            f"Expected room for the demo studies in {folder}, got: "
            f"{error.strerror or type(error).__name__}; free the disk, or name another folder "
            f"by {CACHE_VARIABLE}."
        ) from error
    progress(1.0, "The demo studies are ready.")
    return [study.id for study in DEMO_STUDIES]


def are_made(folder: Path) -> bool:
    """True where `demo_studies(folder, …)` would have nothing to make."""
    return all(_is_made(demo_folder(folder), study) for study in DEMO_STUDIES)


def _make(missing: list[DemoStudy], root: Path, progress: Progress) -> None:
    """In threads: nearly all the time is spent in numpy, scipy and zlib, without the GIL."""
    total = len(DEMO_STUDIES)
    done = total - len(missing)
    progress(done / total, "Reading the anatomy of the demo studies.")
    anatomy = load_anatomy(SPACING_MM)
    with ThreadPoolExecutor(WORKERS) as pool:
        jobs = {pool.submit(_make_one, study, anatomy, root): study for study in missing}
        progress(done / total, f"Making {len(missing)} synthetic demo studies.")
        for job in as_completed(jobs):
            job.result()
            done += 1
            progress(done / total, f"{jobs[job].id} is ready: {jobs[job].title}.")


def _is_made(root: Path, study: DemoStudy) -> bool:
    return (root / study.id / DEMO_MARKER).is_file()


def _make_one(study: DemoStudy, anatomy: Anatomy, root: Path) -> None:
    if _is_made(root, study):
        return
    made = synthesise(
        study.seed,
        spacing_mm=SPACING_MM,
        recipe=study.recipe,
        sequences=ALL_SEQUENCES,
        anatomy=anatomy,
    )
    with _whole_or_not_at_all(root / study.id) as place:
        for sequence, volume in made.volumes.items():
            rounded = np.rint(volume).astype(np.int16)
            _write_nifti(place / f"{study.id}_{sequence}.nii.gz", rounded, made.affine)
        labels = place / f"{study.id}_tumor_segmentation.nii.gz"
        _write_nifti(labels, made.labels, made.affine)
        _write_json(place / "facts.json", made.facts.to_json())
        about = {"id": study.id, "title": study.title, "synthetic": True, "seed": study.seed}
        _write_json(place / DEMO_MARKER, {**about, "version": SYNTHESIS_VERSION})


@contextlib.contextmanager
def _whole_or_not_at_all(target: Path) -> Iterator[Path]:
    """A hidden folder beside `target` that becomes it; whoever comes second gives way."""
    place = Path(tempfile.mkdtemp(prefix=f".{target.name}-", dir=target.parent))
    try:
        yield place
        place.chmod(0o755)
        if target.exists() and not (target / DEMO_MARKER).is_file():
            shutil.rmtree(target, ignore_errors=True)
        with contextlib.suppress(OSError):
            place.rename(target)
    finally:
        shutil.rmtree(place, ignore_errors=True)


def _clear_abandoned(root: Path) -> None:
    for place in root.glob(".DEMO-*"):
        with contextlib.suppress(OSError):
            if time.time() - place.stat().st_mtime > ABANDONED_S:
                shutil.rmtree(place, ignore_errors=True)


def _write_nifti(path: Path, array: NDArray[Any], affine: Affine) -> None:
    """As UCSF-PDGM stores it: LPS voxel axes, qform and sform set; always the same bytes."""
    flipped = np.ascontiguousarray(array[::-1, ::-1])
    turned = affine.copy()
    turned[:3, :2] *= -1.0
    turned[:3, 3] = affine[:3, :3] @ [array.shape[0] - 1, array.shape[1] - 1, 0] + affine[:3, 3]
    image = nib.Nifti1Image(flipped, turned)
    image.set_qform(turned, code=1)
    image.set_sform(turned, code=1)
    image.header.set_xyzt_units("mm")
    path.write_bytes(gzip.compress(image.to_bytes(), compresslevel=1, mtime=0))


def _write_json(path: Path, value: dict[str, Any]) -> None:
    path.write_text(json.dumps(value, indent=1, sort_keys=True) + "\n", encoding="utf-8")
