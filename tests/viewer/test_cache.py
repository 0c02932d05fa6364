"""One read for many callers, a bound that holds, and files that change."""

from __future__ import annotations

import os
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import nibabel as nib
import numpy as np
import pytest

from tests.viewer.images import SHAPE, distinct, mask, save, sequence
from viewer import cache as cache_module
from viewer.arrays import Volume
from viewer.cache import ArrayCache
from viewer.errors import UnreadableFile
from viewer.study import SequenceFile
from viewer.volume import read_volume

ONE = int(np.prod(SHAPE)) * 4
"""Bytes of one test volume as float32."""


def test_an_array_is_read_once(tmp_path: Path) -> None:
    cache = ArrayCache(10 * ONE)
    file = sequence(save(tmp_path / "a.nii.gz"))
    assert cache.volume(file) is cache.volume(file)
    assert cache.held_bytes == ONE


def test_shared_arrays_cannot_be_written_to(tmp_path: Path) -> None:
    volume = ArrayCache(10 * ONE).volume(sequence(save(tmp_path / "a.nii.gz")))
    with pytest.raises(ValueError, match="read-only"):
        volume.array[0, 0, 0] = 1


def test_the_least_recently_used_goes_first(tmp_path: Path) -> None:
    cache = ArrayCache(2 * ONE)
    a, b, c = (sequence(save(tmp_path / f"{name}.nii.gz")) for name in "abc")
    first, second = cache.volume(a), cache.volume(b)
    cache.volume(a)
    cache.volume(c)
    assert cache.held_bytes == 2 * ONE
    assert cache.volume(a) is first
    assert cache.volume(b) is not second


def test_an_array_beyond_the_bound_is_given_but_not_kept(tmp_path: Path) -> None:
    cache = ArrayCache(ONE - 1)
    assert cache.volume(sequence(save(tmp_path / "a.nii.gz"))).array.nbytes == ONE
    assert cache.held_bytes == 0


def test_a_changed_file_is_read_anew(tmp_path: Path) -> None:
    cache = ArrayCache(10 * ONE)
    file = sequence(save(tmp_path / "a.nii"))
    before = cache.volume(file)
    save(tmp_path / "a.nii", distinct() + 1)  # the same size
    os.utime(tmp_path / "a.nii", ns=(0, 1))
    assert cache.volume(file).array[0, 0, 0] == before.array[0, 0, 0] + 1


def test_equal_base_names_and_frames_do_not_collide(tmp_path: Path) -> None:
    cache = ArrayCache(10 * ONE)
    one = cache.volume(sequence(save(tmp_path / "x" / "t1.nii")))
    two = cache.volume(sequence(save(tmp_path / "y" / "t1.nii", distinct() + 5)))
    assert one.array[0, 0, 0] != two.array[0, 0, 0]
    stack = np.stack([distinct(), distinct() + 7], axis=3)
    nib.save(nib.Nifti1Image(stack, np.eye(4)), tmp_path / "f.nii")
    frames = [cache.volume(sequence(tmp_path / "f.nii", frame=n)).array for n in (0, 1)]
    assert (frames[1] - frames[0] == 7).all()


def test_masks_and_volumes_share_the_bound(tmp_path: Path) -> None:
    cache = ArrayCache(10 * ONE)
    path = save(tmp_path / "seg.nii.gz", np.ones(SHAPE, np.uint8))
    assert cache.labels(mask(path)) is cache.labels(mask(path))
    cache.volume(sequence(path))
    assert cache.held_bytes == ONE + ONE // 4


def test_threads_wait_for_one_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = sequence(save(tmp_path / "a.nii.gz"))
    reads, started, proceed = [], threading.Event(), threading.Event()

    def slow(asked: SequenceFile) -> Volume:
        reads.append(asked)
        started.set()
        assert proceed.wait(60)
        return read_volume(asked)

    monkeypatch.setattr(cache_module, "read_volume", slow)
    cache = ArrayCache(10 * ONE)
    with ThreadPoolExecutor(4) as pool:
        futures = [pool.submit(cache.volume, file) for _ in range(4)]
        assert started.wait(60)
        proceed.set()
        volumes = [future.result() for future in futures]
    assert len(reads) == 1
    assert all(volume is volumes[0] for volume in volumes)


def test_a_failed_read_is_not_remembered(tmp_path: Path) -> None:
    cache = ArrayCache(10 * ONE)
    path = tmp_path / "a.nii.gz"
    with pytest.raises(UnreadableFile, match="nothing there"):
        cache.volume(sequence(path))
    path.write_bytes(b"")
    with pytest.raises(UnreadableFile, match="empty file"):
        cache.volume(sequence(path))
    save(path)
    assert cache.volume(sequence(path)).array.shape == SHAPE
