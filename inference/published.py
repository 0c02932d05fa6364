"""Published figures of the UCSF-PDGM-VQA benchmark, to show beside ours.

Accuracy in per cent over 2,387 questions, mean of three runs. They were
graded by a case-sensitive substring test, and their slices were picked by
masks from an untrained decoder; ours are not, so compare with care.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Published:
    """One figure. `representation` is ours of that name, None where the paper's is not known."""

    model: str
    representation: str | None
    order: str
    percent: float
    note: str = ""


FAULTS: tuple[str, ...] = (
    "The masks that picked the slices came from a decoder whose weights were never loaded.",
    "The axial slice's index was read from another axis.",
    "Two scripts wrote the same file in different orientations.",
    "The multi-slice pictures held the tumor mask itself and had no captions.",
    "Answers were graded by a case-sensitive substring: No is found in Not applicable.",
)
"""Known faults of the published pipeline, none of which ours repeats."""

PUBLISHED: tuple[Published, ...] = (
    Published("MedGemma-1.5-4B", "single-slice", "original", 55.37),
    Published("MedGemma-1.5-4B", "multi-slice", "original", 63.57),
    Published("MedGemma-1.5-4B", "montage", "original", 43.38),
    Published("MedGemma-1.5-4B", "multi-slice", "shuffled", 51.16),
    Published("Lingshu-32B", "single-slice", "original", 61.40),
    Published("Lingshu-32B", "montage", "original", 66.04, "reported for the blank image too"),
    Published("Lingshu-32B", "blank", "original", 66.04, "the same figure as for the montage"),
    Published("Lingshu-32B", None, "shuffled", 52.17),
    Published("LLaVA-Med", None, "original", 59.14),
    Published("LLaVA-Med", "montage", "original", 59.05),
    Published("LLaVA-Med", None, "shuffled", 40.55),
    Published("MedImageInsight", None, "original", 20.77, "first of three figures"),
    Published("MedImageInsight", None, "original", 18.68, "second of three figures"),
    Published("MedImageInsight", None, "shuffled", 28.01, "third of three figures"),
    Published("Med3DVLM", None, "original", 26.91, "first of three figures"),
    Published("Med3DVLM", None, "original", 42.42, "second of three figures"),
    Published("Med3DVLM", None, "shuffled", 38.55, "third of three figures"),
    Published("GPT5-mini", "single-slice", "original", 34.70),
    Published("GPT5-mini", "multi-slice", "original", 23.67),
    Published("Qwen3-8B", "text-only", "original", 52.57),
    Published("Qwen3-8B", "text-only", "shuffled", 47.73),
    Published("neuroradiology fellow", None, "original", 88.0, "about; on 75 questions"),
    Published("chance", None, "shuffled", 25.0),
)
