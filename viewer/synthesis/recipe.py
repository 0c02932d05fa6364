"""What a synthetic lesion is meant to be; what it became is `LesionFacts`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from viewer.synthesis.regions import Lobe

Side = Literal["right", "left", "both", "brainstem"]
Enhancement = Literal["none", "rim", "solid", "patchy"]


@dataclass(frozen=True)
class Recipe:
    """One lesion's plan.

    `site_mm` is the centre in the template (MNI mm, x positive to the right).
    Volumes are in mL: `core_ml` is necrosis, non-enhancing and enhancing tumor
    together, `edema_ml` what surrounds it. `enhancing_of_core` is the share of
    the core that takes up contrast; `midline_shift_mm` the wanted shift of the
    septum, positive to the patient's right. `irregularity` 0..1 roughens the
    outline. `necrosis` puts fluid in the non-enhancing core, otherwise it is
    solid tissue; `blood` adds blood products.
    """

    side: Side
    lobe: Lobe
    site_mm: tuple[float, float, float]
    enhancement: Enhancement
    core_ml: float
    edema_ml: float
    enhancing_of_core: float
    necrosis: bool
    midline_shift_mm: float = 0.0
    irregularity: float = 0.5
    blood: bool = False

    @property
    def whole_ml(self) -> float:
        """Core and edema together."""
        return self.core_ml + self.edema_ml
