"""Each row changes one thing and nothing else, and says so in the record."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import nibabel as nib
import numpy as np
import pytest

from inference.ablation_setup import Setup
from inference.ablations import ABLATIONS, ablation_named, fitting
from inference.errors import TooManyPictures, UnfitAblation
from inference.models.fake import FakeModel
from inference.pictures import PictureSettings, pixel_hash
from inference.preparation import AskSettings, Prepared, prepare
from inference.recording import recorded
from inference.replies import Reply
from inference.study_views import view_of_arrays, view_of_study
from tests.inference.studies import affine, brain, labelmap, labels, volumes
from tests.inference.test_ask import ORDER, QUESTION
from viewer.cache import ArrayCache
from viewer.catalogue import find_studies
from viewer.errors import UnknownName


def setup_of(representation: str = "multi-slice", **settings: object) -> Setup:
    pictures = PictureSettings(**settings)  # type: ignore[arg-type]
    other = view_of_arrays("S-2", {name: volumes()[name] for name in ("T1", "FLAIR")}, labelmap())
    return Setup(
        view=view_of_arrays("S-1", volumes(), labelmap()),
        question=QUESTION,
        order=ORDER,
        representation=representation,
        settings=AskSettings(pictures=pictures),
        other="S-2",
        view_of=lambda study_id: other,
    )


def plain(setup: Setup) -> Prepared:
    return prepare(setup.view, setup.question, setup.order, setup.representation, setup.settings)


def ablated(name: str, setup: Setup | None = None) -> Prepared:
    row, variant = ablation_named(name)
    return row.prepare(setup or setup_of(), variant)


@pytest.mark.parametrize("name", fitting(setup_of()))
def test_every_row_keeps_the_question_and_names_itself(name: str) -> None:
    made, model = ablated(name), FakeModel()
    reply = Reply("", None, None, 0, 0.0, model.name, None, None, "stop")
    record = recorded(made, reply, None, 0.0)
    assert (record.ablation, record.case, record.question_id) == (name, "S-1", "q1")
    assert (record.stem, record.options, record.truth) == (QUESTION.stem, QUESTION.options, 1)
    assert record.representation == "multi-slice"
    assert [p["sha256"] for p in record.pictures] == [p.sha256 for p in made.prompt.pictures]
    assert all(p.sha256 == pixel_hash(p.pixels) for p in made.pictures)


@pytest.mark.parametrize("name", [n for n in fitting(setup_of()) if n != "masks-included"])
def test_every_row_sends_something_else_than_the_plain_ask(name: str) -> None:
    setup = setup_of()
    before, after = plain(setup), ablated(name, setup)
    sent = [(p.prompt.text, [q.sha256 for q in p.pictures]) for p in (before, after)]
    assert sent[0] != sent[1]


def test_black_pictures_keep_size_captions_and_words() -> None:
    before, after = plain(setup_of()), ablated("blank")
    assert [p.pixels.shape for p in after.pictures] == [p.pixels.shape for p in before.pictures]
    assert not any(p.pixels.any() for p in after.pictures)
    assert after.prompt.text == before.prompt.text


def test_noise_has_the_pictures_histogram_and_repeats() -> None:
    before, after, again = plain(setup_of()), ablated("noise"), ablated("noise")
    for real, noise in zip(before.pictures, after.pictures, strict=True):
        assert np.array_equal(np.sort(real.pixels, axis=None), np.sort(noise.pixels, axis=None))
        assert real.sha256 != noise.sha256
    assert [p.sha256 for p in after.pictures] == [p.sha256 for p in again.pictures]
    assert after.prompt.text == before.prompt.text


def test_text_only_says_nothing_about_pictures() -> None:
    after = ablated("text-only")
    assert after.pictures == ()
    assert "picture" not in after.prompt.text


def test_the_wrong_study_is_named_and_its_slices_recorded() -> None:
    after = ablated("wrong-study:S-2")
    assert after.study_id == "S-1"
    assert after.ablation == "wrong-study:S-2"
    assert len(after.pictures) == 2
    with pytest.raises(UnfitAblation, match="S-3"):
        ablated("wrong-study:S-3")


def test_only_the_mirror_turns_the_right_answer_and_only_of_sides() -> None:
    sides = replace(QUESTION, options=("Right side", "Left side", "Both", "Neither"))
    asked = replace(setup_of(), question=sides)
    turned = {
        name: made.judged.answer
        for name in fitting(asked)
        if (made := ablated(name, asked)).judged.answer != sides.answer
    }
    assert turned == {"mirrored": 0}
    reply = Reply("D) Right side", None, None, 0, 0.0, "m", None, None, "stop")
    record = recorded(ablated("mirrored", replace(asked, order=(3, 2, 1, 0))), reply, None, 0.0)
    assert (record.truth, record.answer.text) == (1, "Right side")
    assert record.score == "right"
    sizes = replace(QUESTION, options=("1 cm", "2 cm", "3 cm", "4 cm"))
    assert ablated("mirrored", replace(setup_of(), question=sizes)).judged == sizes


@pytest.mark.parametrize("crop", ["full", "brain-200mm"])
def test_mirrored_pixels_are_flipped_and_words_are_not(crop: str) -> None:
    setup = setup_of(crop=crop, size=64, captions=True)
    before, after = plain(setup), ablated("mirrored", setup)
    for real, mirrored in zip(before.pictures, after.pictures, strict=True):
        difference = np.abs(real.pixels[:, ::-1].astype(int) - mirrored.pixels)
        assert difference.max() <= 1
    assert not np.array_equal(before.pictures[0].pixels, after.pictures[0].pixels)
    assert after.prompt.text == before.prompt.text


def test_a_mirrored_montage_keeps_its_labels_readable_and_draws_no_letters() -> None:
    lettered = setup_of("montage", edge_letters=True)
    bare = setup_of("montage")
    before, after = plain(bare), ablated("mirrored", lettered)
    strip = slice(0, 11)
    assert np.array_equal(before.pictures[0].pixels[strip], after.pictures[0].pixels[strip])
    assert before.pictures[0].sha256 != after.pictures[0].sha256


def test_left_out_and_alone_name_their_sequence() -> None:
    assert [p.sequence for p in ablated("without:T1c").pictures] == ["T1", "T2", "FLAIR"]
    assert [p.sequence for p in ablated("alone:T2").pictures] == ["T2"]
    single = ablated("alone:T2", setup_of("single-slice"))
    assert [p.sequence for p in single.pictures] == ["T2"]


def test_without_flair_the_slices_stay() -> None:
    before, after = plain(setup_of()), ablated("without:FLAIR")
    assert [p.index for p in after.pictures] == [p.index for p in before.pictures[:3]]


def test_a_mask_is_named_only_where_it_is_drawn() -> None:
    masked = setup_of(include_masks=True)
    assert plain(masked).mask == "seg.nii.gz"
    assert ablated("blank", masked).mask is None
    assert ablated("without:T1", masked).mask == "seg.nii.gz"


def test_captions_and_masks() -> None:
    assert "slice" not in ablated("caption-removed").prompt.text
    assert all(p.includes_mask for p in ablated("masks-included").pictures)
    assert ablated("masks-included").mask == "seg.nii.gz"


def test_as_published_shows_every_file_by_name_and_the_mask_among_them() -> None:
    setup = setup_of()
    after = ablated("as-published", setup)
    assert [p.sequence for p in after.pictures] == ["FLAIR", "tumor mask", "T1", "T1c", "T2"]
    assert {p.convention for p in after.pictures} == {"neurological"}
    assert not any(p.caption for p in after.pictures)
    assert "right is on" not in after.prompt.text


UCSF_FILES = [
    "ADC", "ASL", "brain_parenchyma_segmentation", "brain_segmentation", "DTI_eddy_FA",
    "DTI_eddy_L1", "DTI_eddy_L2", "DTI_eddy_L3", "DTI_eddy_MD", "DTI_eddy_noreg", "DWI",
    "DWI_bias", "FLAIR", "FLAIR_bias", "SWI", "SWI_bias", "T1", "T1_bias", "T1c", "T1c_bias",
    "T2", "T2_bias", "tumor_segmentation",
]  # fmt: skip
"""In alphabetical order without regard to case."""


def test_as_published_sends_all_23_files_of_a_whole_study(tmp_path: Path) -> None:
    folder = tmp_path / "UCSF-PDGM-0004_nifti"
    for seed, what in enumerate(UCSF_FILES):
        array = brain(seed)
        if what.endswith("segmentation"):
            array = labels() if what.startswith("tumor") else (array > 0).astype(np.uint8)
        if what == "DTI_eddy_noreg":  # 4-D, its first volume is not the others
            array = np.stack([array, np.zeros_like(array)], axis=-1)
        image = nib.Nifti1Image(array, affine())
        folder.mkdir(exist_ok=True)
        nib.save(image, folder / f"UCSF-PDGM-0004_{what}.nii.gz")
    (study,) = find_studies([tmp_path]).studies
    view = view_of_study(study, ArrayCache(10**8))
    setup = replace(setup_of(), view=view)
    after = ablated("as-published", setup)
    assert len(after.pictures) == len(UCSF_FILES) == 23
    drawn = dict(zip(UCSF_FILES, after.pictures, strict=True))
    for seed, what in enumerate(UCSF_FILES):
        pixels = drawn[what].pixels[..., 0]
        assert pixels.max() > 200
        if what.endswith("segmentation"):
            continue
        cut = brain(seed)[:, :, 10]
        assert drawn[what].window == pytest.approx(np.percentile(cut, (0.5, 99.5)), abs=0.01)
    # The lesion is on the patient's right, and that is where the image's right is.
    tumor = np.nonzero(drawn["tumor_segmentation"].pixels[..., 0])[1]
    assert tumor.min() > drawn["tumor_segmentation"].width / 2
    assert [p.sha256 for p in after.prompt.pictures] == [p.sha256 for p in after.pictures]
    with pytest.raises(TooManyPictures, match=r"at most 12 .* as-published .* has 23"):
        ablated("as-published", replace(setup, max_pictures=12))


def test_words_are_masked_or_random_and_the_options_stay() -> None:
    question = replace(QUESTION, stem="Where is the 2 cm tumor-core?")
    setup = replace(setup_of(), question=question)
    assert "___ ___ ___ ___ ___ ___-___?" in ablated("stem-masked", setup).prompt.text
    lines = ablated("stem-random", setup).prompt.text.split("\n")
    stem = next(line for line in lines if line.endswith("?"))
    assert len(stem) == len(question.stem)
    assert [word.isdigit() for word in stem.split()] == [w.isdigit() for w in question.stem.split()]
    assert stem != question.stem
    assert "A) Both" in lines


def test_the_finding_is_what_the_mask_measures() -> None:
    made = ablated("finding-as-text")
    assert made.pictures == ()
    assert "most of the tumor lies in the right hemisphere" in made.prompt.text


def test_reshuffling_changes_the_order_alone() -> None:
    before, after = plain(setup_of()), ablated("reshuffled")
    assert after.prompt.order != before.prompt.order
    assert (before.ordering, after.ordering) == ("", "1")
    assert [p.sha256 for p in after.pictures] == [p.sha256 for p in before.pictures]


@pytest.mark.parametrize("representation", ["blank", "text-only"])
def test_what_shows_nothing_has_no_picture_to_take_away(representation: str) -> None:
    names = {name.partition(":")[0] for name in fitting(setup_of(representation))}
    assert names == {"reshuffled", "stem-masked", "stem-random", "finding-as-text"}
    with pytest.raises(UnfitAblation, match="no picture"):
        ablated("blank", setup_of(representation))


def test_rows_that_need_something_say_what_is_missing() -> None:
    bare = replace(setup_of(), view=view_of_arrays("S-1", volumes()), other=None)
    names = {name.partition(":")[0] for name in fitting(bare)}
    missing = {"masks-included", "as-published", "finding-as-text", "wrong-study"}
    assert names.isdisjoint(missing)
    assert names | missing == set(ABLATIONS)
    single = {name.partition(":")[0] for name in fitting(setup_of("single-slice"))}
    assert "without" not in single


def test_an_unknown_row_lists_the_others() -> None:
    with pytest.raises(UnknownName, match="blank"):
        ablation_named("blanc")
