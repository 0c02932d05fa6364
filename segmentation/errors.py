"""What a user can cause and mend in this room."""

from __future__ import annotations

from viewer.errors import UserError


class UnknownLabels(UserError):
    """Label values that the scheme in use does not know."""


class UnusableWeights(UserError):
    """Weights that are missing, damaged, of another architecture, or not fully described."""


class MissingSequence(UserError):
    """A study lacks a sequence that the weights were trained with."""


class SegmentationCancelled(UserError):
    """The user stopped the run; no mask was made."""


class UnrelatedGrids(UserError):
    """Two arrays that should lie on one grid do not."""


class MaskNotKept(UserError):
    """A mask was made, and the disk refused it."""
