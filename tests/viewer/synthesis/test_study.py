import numpy as np
import pytest

from viewer.synthesis import ALL_SEQUENCES, Anatomy, Recipe, synthesise
from viewer.synthesis.facts import LesionFacts

RIGHT_RIM = Recipe(
    "right", "frontal", (28, 28, 20), "rim", 40.0, 60.0, 0.45, True, midline_shift_mm=-8.0
)
LEFT_PLAIN = Recipe("left", "temporal", (-44, -10, -20), "none", 30.0, 15.0, 0.0, False)


def test_same_seed_gives_the_same_bytes_and_another_seed_does_not(anatomy: Anatomy) -> None:
    one, again, other = (
        synthesise(seed, spacing_mm=3.0, contrast="randomised", anatomy=anatomy)
        for seed in (7, 7, 8)
    )
    assert one.labels.tobytes() == again.labels.tobytes()
    for name, volume in one.volumes.items():
        assert volume.tobytes() == again.volumes[name].tobytes()
    assert one.facts == again.facts
    assert one.labels.tobytes() != other.labels.tobytes()


def test_all_sequences_are_zero_outside_and_positive_inside_the_brain(anatomy: Anatomy) -> None:
    study = synthesise(
        1, spacing_mm=3.0, recipe=RIGHT_RIM, sequences=ALL_SEQUENCES, anatomy=anatomy
    )
    assert tuple(study.volumes) == ALL_SEQUENCES
    for volume in study.volumes.values():
        assert volume.dtype == np.float32
        assert volume.shape == study.labels.shape == study.brain.shape
        assert np.isfinite(volume).all()
        assert (volume[~study.brain] == 0.0).all()
        assert (volume[study.brain] > 0.0).all()
    assert not study.labels[~study.brain].any()
    assert set(np.unique(study.labels)) == {0, 1, 2, 4}


def test_the_lesion_is_what_the_recipe_asked_for(anatomy: Anatomy) -> None:
    facts = synthesise(2, spacing_mm=3.0, recipe=RIGHT_RIM, anatomy=anatomy).facts
    assert (facts.side, facts.lobe, facts.enhancement) == ("right", "frontal", "rim")
    assert facts.necrosis
    assert facts.whole_ml == pytest.approx(100.0, rel=0.05)
    assert facts.volume_ml[2] == pytest.approx(60.0, rel=0.05)
    assert facts.midline_shift_mm < -4.0
    assert facts.largest_compartment == "edema"


def test_a_tumor_on_the_right_has_larger_i_than_the_brain_and_on_the_left_smaller(
    anatomy: Anatomy,
) -> None:
    for recipe, sign in ((RIGHT_RIM, 1.0), (LEFT_PLAIN, -1.0)):
        study = synthesise(3, spacing_mm=3.0, recipe=recipe, anatomy=anatomy)
        tumor = np.argwhere(study.labels > 0)[:, 0].mean()
        assert sign * (tumor - np.argwhere(study.brain)[:, 0].mean()) > 5.0
        assert sign * study.facts.centre_mm[0] > 10.0


def test_edema_is_bright_on_flair_and_enhancement_on_t1c(anatomy: Anatomy) -> None:
    study = synthesise(4, spacing_mm=3.0, recipe=RIGHT_RIM, anatomy=anatomy)
    healthy = study.brain & (study.labels == 0)
    flair, t1, t1c = (study.volumes[name] for name in ("FLAIR", "T1", "T1c"))
    assert np.median(flair[study.labels == 2]) > 1.2 * np.median(flair[healthy])
    rise = {
        name: np.median(v[study.labels == 4]) / np.median(v[healthy])
        for name, v in (("T1", t1), ("T1c", t1c))
    }
    assert rise["T1c"] > 1.3 * rise["T1"]


def test_facts_survive_json(anatomy: Anatomy) -> None:
    import json

    facts = synthesise(5, spacing_mm=3.0, recipe=LEFT_PLAIN, anatomy=anatomy).facts
    assert LesionFacts.from_json(json.loads(json.dumps(facts.to_json()))) == facts
    assert facts.enhancement == "none"
    assert facts.volume_ml[4] == 0.0
