from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import nibabel as nib
import numpy as np
import pytest

from inference.ablations import ablation_named, fitting
from inference.ask import send
from inference.choices import Choices
from inference.comparison import Inputs
from inference.conventions import conventions_of
from inference.desk import Desk
from inference.errors import BadRecord
from inference.models.table import model_entry
from inference.replay import replay
from tests.inference.test_batch import desk

__all__ = ["desk"]

CHOICES = Choices("S-1", "q0", "montage", "fake:B", order="5")


@pytest.mark.parametrize("store", ["sqlite"], indirect=True)
class TestReplay:
    @pytest.mark.parametrize("name", ["single-slice", "multi-montage", "blank", "text-only"])
    def test_the_same_files_give_the_same_input_and_reply(self, desk: Desk, name: str) -> None:
        record = desk.ask(replace(CHOICES, representation=name))
        again = replay(desk, desk.records.record(record.id))
        assert again.differences == ()
        assert again.lines() == ["The same input gave the same reply."]
        assert again.now.key == record.key

    @pytest.mark.parametrize(
        ("name", "change"),
        [
            ("single-slice", {"window_rule": "min-max"}),
            ("single-slice", {"crop": "brain-200mm"}),
            ("single-slice", {"convention": "neurological"}),
            ("single-slice", {"size": 40}),
            ("single-slice", {"caption_place": "before"}),
            ("single-slice", {"caption_place": "none"}),
            ("volume", {"volume_pictures": 3}),
            ("volume", {"max_pictures": 2}),
        ],
    )
    def test_what_the_user_changed_reaches_the_model_and_the_record(
        self, desk: Desk, name: str, change: dict[str, object]
    ) -> None:
        entry = model_entry(CHOICES.model)
        ours = replace(conventions_of(entry), **change)  # type: ignore[arg-type]
        choices = replace(CHOICES, representation=name)
        usual, record = (desk.ask(replace(choices, conventions=c)) for c in ((), (ours,)))
        hashes = [[each["sha256"] for each in one.pictures] for one in (usual, record)]
        assert hashes[0] != hashes[1] or usual.prompt != record.prompt
        again = replay(desk, desk.records.record(record.id))
        assert again.differences == ()

    def test_another_pixel_is_named(self, desk: Desk, tmp_path: Path) -> None:
        record = desk.ask(CHOICES)
        path = desk.catalogue.study("S-1").sequences[0].path
        image = nib.load(path)
        changed = np.asarray(image.dataobj).copy()
        changed[:, :, 10] = 3
        nib.save(nib.Nifti1Image(changed, image.affine), path)
        again = replay(desk, record)
        assert [difference.field for difference in again.differences] == ["pictures"]
        assert not again.same_input
        assert again.lines()[0] == "The input is another one now:"

    def test_another_reply_to_the_same_input_is_named(self, desk: Desk) -> None:
        record = desk.ask(CHOICES)
        other = replace(record, raw="I say A.")
        again = replay(desk, other)
        assert [difference.field for difference in again.differences] == ["raw"]
        assert again.same_input

    def test_the_users_own_slice_is_taken_again(self, desk: Desk) -> None:
        point = (-130.0, 0.0, 25.0)
        record = desk.ask(replace(CHOICES, slice_from="user", at_mm=point))
        assert replay(desk, record).differences == ()

    def test_an_answer_from_elsewhere_has_no_ask_to_make(self, desk: Desk) -> None:
        record = desk.ask(CHOICES)
        with pytest.raises(BadRecord, match="imported answer"):
            replay(desk, replace(record, prompt=""))

    @pytest.mark.parametrize("representation", ["multi-slice", "montage"])
    def test_every_ablation_is_made_again_to_the_pixel(
        self, desk: Desk, representation: str
    ) -> None:
        choices = replace(CHOICES, representation=representation, generate=False)
        setup = Inputs(desk).setup(choices)
        model = desk.host.load(choices.model)
        seen = set()
        for name in fitting(setup):
            row, variant = ablation_named(name)
            record = send(row.prepare(setup, variant), model)
            desk.records.append(record)
            again = replay(desk, desk.records.record(record.id))
            assert again.differences == (), name
            assert again.now.key == record.key
            assert again.now.ablation == name
            seen.add(row.name)
        assert {"wrong-study", "mirrored", "noise", "as-published", "finding-as-text"} <= seen

    def test_an_ablation_of_changed_files_is_named(self, desk: Desk) -> None:
        setup = Inputs(desk).setup(CHOICES)
        record = send(ablation_named("mirrored")[0].prepare(setup), desk.host.load("fake:B"))
        path = desk.catalogue.study("S-1").sequences[0].path
        image = nib.load(path)
        nib.save(nib.Nifti1Image(np.asarray(image.dataobj)[::-1].copy(), image.affine), path)
        again = replay(desk, record)
        assert [difference.field for difference in again.differences] == ["pictures"]
