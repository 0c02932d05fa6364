"""Training data hold what they say, and a quick run ends with weights that load."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from segmentation import train as command
from segmentation.network import load_network
from segmentation.training.augmentation import patches, rescanned
from segmentation.training.lesion_looks import paint
from segmentation.training.lesion_shapes import ENHANCEMENTS, lesion_labels
from segmentation.training.lesions import heal, painted, transplanted
from segmentation.training.loop import Schedule
from segmentation.training.losses import loss, region_targets
from segmentation.training.mixture import ingredients, stream
from segmentation.training.specimen import Specimen, brain_statistics, load, save
from segmentation.training.warping import Motion, warp
from segmentation.weights import find_weights

SHAPE = (30, 34, 28)


def specimen(name: str = "s", side: int = 8) -> Specimen:
    """An egg of a brain with a cube of tumor, enhancing in the middle, to the left."""
    i, j, k = np.ogrid[: SHAPE[0], : SHAPE[1], : SHAPE[2]]
    brain = ((i - 14.5) / 13) ** 2 + ((j - 16.5) / 15) ** 2 + ((k - 13.5) / 12) ** 2 < 1
    labels = np.zeros(SHAPE, np.uint8)
    labels[5 : 5 + side, 13 : 13 + side, 10 : 10 + side] = 2
    labels[7:11, 15:19, 12:16] = 4
    labels *= brain
    rng = np.random.default_rng(1)
    image = rng.normal(1.0, 0.1, (4, *SHAPE)).astype(np.float32) + (labels > 0) * 1.0
    return Specimen(name, (image * brain).astype(np.float32), labels, brain)


def test_a_specimen_survives_the_disk(tmp_path: Path) -> None:
    before = specimen()
    save(before, tmp_path / "s.npz")
    after = load(tmp_path / "s.npz")
    assert after.name == "s" and after.shape == SHAPE
    np.testing.assert_allclose(after.image, before.image, atol=2e-3)
    np.testing.assert_array_equal(after.labels, before.labels)


def test_standing_still_changes_nothing() -> None:
    before = specimen()
    centre = np.zeros(3, np.float32)
    after = warp(before, Motion(np.eye(3, dtype=np.float32), centre, centre), SHAPE)
    np.testing.assert_allclose(after.image, before.image, atol=1e-4)
    np.testing.assert_array_equal(after.labels, before.labels)


def test_a_mirror_takes_labels_along_with_the_image() -> None:
    before = specimen()
    centre = (np.array(SHAPE, np.float32) - 1) / 2
    matrix = np.diag([-1, 1, 1]).astype(np.float32)
    after = warp(before, Motion(matrix, centre, centre), SHAPE)
    np.testing.assert_allclose(after.image, before.image[:, ::-1], atol=1e-4)
    np.testing.assert_array_equal(after.labels, before.labels[::-1])


def test_healing_removes_a_tumor_on_one_side() -> None:
    healed = heal(specimen())
    assert not healed.labels.any()
    assert healed.image[:, specimen().labels > 0].mean() < 1.3


def test_painted_tumors_are_in_the_brain_and_differ_by_seed() -> None:
    ground = heal(specimen())
    made = [painted(ground, np.random.default_rng(seed)) for seed in range(4)]
    for one in made:
        assert one.labels.any() and set(np.unique(one.labels)) <= {0, 1, 2, 4}
        assert not one.labels[~one.brain].any() and not one.image[:, ~one.brain].any()
        assert np.isfinite(one.image).all() and one.image.min() >= 0
    assert len({one.labels.tobytes() for one in made}) == 4


def test_shapes_cover_every_kind_of_enhancement() -> None:
    assert sum(share for share, _ in ENHANCEMENTS.values()) == pytest.approx(1.0)
    brain = specimen().brain
    shares = [
        np.mean(lesion_labels(brain, ~brain, np.random.default_rng(seed)) == 4)
        for seed in range(20)
    ]
    assert min(shares) == 0.0 and max(shares) > 0.0


def test_enhancing_tissue_is_brighter_in_t1c_than_in_t1() -> None:
    ground = heal(specimen())
    labels = specimen().labels
    for seed in range(5):
        image = paint(ground, labels, np.random.default_rng(seed))
        _, deviation = brain_statistics(ground.image, ground.brain)
        uptake = (image[1] - image[2])[labels == 4].mean() / deviation.max()
        assert uptake > 0.3


def test_a_transplant_carries_the_donors_labels() -> None:
    donor, recipient = specimen("donor"), heal(specimen("recipient", side=6))
    made = transplanted(recipient, donor, np.random.default_rng(3))
    assert made.name == "recipient"
    assert {2, 4} <= set(np.unique(made.labels)) | {2, 4}
    assert made.labels.any() and not made.labels[~made.brain].any()


def test_rescanned_channels_are_z_scored() -> None:
    image = rescanned(specimen(), np.random.default_rng(0))
    mean, deviation = brain_statistics(image, specimen().brain)
    np.testing.assert_allclose(mean, 0.0, atol=1e-4)
    np.testing.assert_allclose(deviation, 1.0, atol=1e-3)


def test_patches_have_their_shape_and_stay_finite() -> None:
    rng = np.random.default_rng(0)
    made = patches(specimen(), rescanned(specimen(), rng), (32, 16, 24), 8, rng)
    for patch in made:
        assert patch.image.shape == (4, 32, 16, 24) and patch.labels.shape == (32, 16, 24)
        assert np.isfinite(patch.image).all()
    assert any(patch.labels.any() for patch in made)


def test_the_stream_is_the_same_for_a_seed() -> None:
    table = ingredients([specimen("a"), specimen("b")], None)
    streams = [stream(table, (16, 16, 16), np.random.default_rng(5)) for _ in range(2)]
    for _ in range(3):
        one, other = (next(patch) for patch in streams)
        np.testing.assert_array_equal(one.image, other.image)


def test_brains_that_are_not_finite_are_left_out() -> None:
    spoiled = specimen()
    spoiled.image[0, 15, 17, 14] = np.nan
    table = ingredients([], lambda rng: spoiled if rng.random() < 0.5 else specimen())
    source = stream(table, (16, 16, 16), np.random.default_rng(0))
    assert all(np.isfinite(next(source).image).all() for _ in range(5))


def test_a_mixture_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="real specimens or a synthetic maker"):
        ingredients([], None)


def test_targets_are_nested_regions() -> None:
    targets = region_targets(torch.tensor([[[[0, 1, 2, 4]]]]))
    assert targets[0, :, 0, 0].tolist() == [[0, 1, 0, 1], [0, 1, 1, 1], [0, 0, 0, 1]]


def test_the_loss_prefers_the_truth() -> None:
    labels = torch.tensor(specimen().labels)[None]
    targets = region_targets(labels)
    right, wrong = loss((targets - 0.5) * 20, labels), loss((0.5 - targets) * 20, labels)
    assert float(right) < 0.01 < 1.0 < float(wrong)


def test_the_rate_rises_and_falls() -> None:
    schedule = Schedule(steps=1000)
    rates = [schedule.rate_at(step) for step in (0, schedule.warm_up, 500, 999)]
    assert rates[0] < rates[1] == pytest.approx(schedule.rate)
    assert rates[1] > rates[2] > rates[3] > 0


def test_a_quick_run_trains_resumes_and_exports(tmp_path: Path) -> None:
    run, out = tmp_path / "run", tmp_path / "out"
    assert command.main(["--quick", "--run", str(run)]) == 0
    assert command.main(["--quick", "--run", str(run), "--resume", "--export", str(out)]) == 0
    weights = find_weights(str(_described(out)))
    assert weights.path.stat().st_size <= 12 * 2**20
    load_network(weights)


def _described(folder: Path) -> Path:
    """The exported set, its description renamed to lie beside the file by its own name."""
    return folder / "model.safetensors"


def test_evaluating_nothing_is_the_callers_mistake(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command.main(["--evaluate", str(tmp_path)]) == 2
    assert "expert's mask" in capsys.readouterr().err


def test_help_names_every_way_to_run(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        command.main(["--help"])
    assert stop.value.code == 0
    told = capsys.readouterr().out
    assert all(f"--{word}" in told for word in ("resume", "export", "evaluate", "quick"))
