"""Every representation with the reason why it cannot be chosen for a model, or for several."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from inference.conventions import Conventions, with_conventions
from inference.models.table import model_entry
from inference.representations import REPRESENTATIONS
from inference.takes import takes
from viewer.errors import UserError
from viewer.study import Study


def reasons(
    find: Callable[[str], Study],
    study_id: str | None,
    models: Sequence[str],
    changes: Sequence[Conventions],
) -> dict[str, str | None]:
    """Representation -> why none of these models can be asked with it about that study, or any.

    `find` gives the study of an id, an opened one too. None where one of the models
    can, and where nothing is known of the study or of a model.
    """
    try:
        study = find(study_id) if study_id else None
        entries = [with_conventions(model_entry(name), changes) for name in models]
    except UserError:
        return dict.fromkeys(REPRESENTATIONS)
    if not entries:
        return dict.fromkeys(REPRESENTATIONS)
    found = {name: [takes(entry, name, study) for entry in entries] for name in REPRESENTATIONS}
    return {name: _joined(models, told) for name, told in found.items()}


def _joined(models: Sequence[str], told: Sequence[str | None]) -> str | None:
    """One model's reason as it is; those of several with their names, where all have one."""
    if None in told:
        return None
    if len(told) == 1:
        return told[0]
    return "; ".join(f"{name} {words}" for name, words in zip(models, told, strict=True))
