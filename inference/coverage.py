"""Which sequences lie where the slices were chosen, and why each other is left out.

Slices are chosen in the reference sequence and found in the others by
millimetres. A sequence that does not reach there has no such slice: its nearest
one would show another part of the patient, or nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from inference.drawing import crop_misses
from inference.errors import OutsideSequence
from inference.pictures import PictureSettings
from inference.study_views import StudyView
from viewer.arrays import Volume
from viewer.grids import SAME_MM, mm_to_voxel
from viewer.planes import plane_named

Volumes = tuple[Volume, ...]


def checked(view: StudyView, volume: Volume, plane: str, settings: PictureSettings) -> Volume:
    """The volume; `OutsideSequence` where the chosen slice does not lie in it."""
    why = outside(view, volume, plane, settings)
    if why:
        raise OutsideSequence(
            f"Expected sequence {volume.name} of study {view.study_id} to lie where the slices "
            f"were chosen, but {why}; choose another sequence, or mend the file's header."
        )
    return volume


def drawable(
    view: StudyView, plane: str, settings: PictureSettings
) -> tuple[Volumes, tuple[str, ...]]:
    """Every sequence that can be read and has the chosen slice, and why each other is left out.

    `MissingSequence` where none can be read, `OutsideSequence` where none has the slice.
    """
    volumes, left_out = view.readable()
    reasons = {volume.name: outside(view, volume, plane, settings) for volume in volumes}
    beyond = tuple(f"{name} is left out: {why}" for name, why in reasons.items() if why)
    found = tuple(volume for volume in volumes if not reasons[volume.name])
    if not found:
        raise OutsideSequence(
            f"Expected a sequence of study {view.study_id} that lies where the slices were "
            f"chosen, found none: {'; '.join((*left_out, *beyond))}; choose the slice anew."
        )
    return found, (*left_out, *beyond)


def left_out(view: StudyView, planes: Sequence[str], settings: PictureSettings) -> tuple[str, ...]:
    """Why sequences are missing from pictures in these planes, each reason once."""
    reasons = (reason for plane in planes for reason in drawable(view, plane, settings)[1])
    return tuple(dict.fromkeys(reasons))


def outside(view: StudyView, volume: Volume, plane: str, settings: PictureSettings) -> str:
    """Why the volume has nothing to show of the chosen slice; empty where it has."""
    axis = plane_named(plane).through
    beyond = _beyond_mm(view, volume, axis)
    if beyond > SAME_MM and volume.name != view.slices.reference:
        return f"the chosen {plane} slice lies {beyond:.3g} mm outside it"
    if crop_misses(view, volume, plane_named(plane), settings):
        return f"it shows nothing of the brain's middle 200 mm in the {plane} plane"
    return ""


def _beyond_mm(view: StudyView, volume: Volume, axis: int) -> float:
    """How far the chosen point lies outside the outer face of the volume's voxels; 0 inside."""
    place = float(mm_to_voxel(volume.affine, np.asarray(view.slices.mm))[axis])
    beyond = max(-0.5 - place, place - (volume.array.shape[axis] - 0.5), 0.0)
    return float(beyond * volume.spacing_mm[axis])
