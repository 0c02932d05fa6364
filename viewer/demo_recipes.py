"""The six demo studies: one row each, chosen to differ in everything that is asked."""

from __future__ import annotations

from dataclasses import dataclass

from viewer.synthesis.recipe import Recipe


@dataclass(frozen=True)
class DemoStudy:
    """An id, a title for the list, the seed of the head and the lesion's plan."""

    id: str
    title: str
    seed: int
    recipe: Recipe


DEMO_STUDIES = (
    DemoStudy(
        "DEMO-0001",
        "Rim-enhancing right frontal tumor with midline shift",
        205,
        Recipe("right", "frontal", (30, 30, 18), "rim", 46.0, 62.0, 0.42, True, -8.5, 0.7, True),
    ),
    DemoStudy(
        "DEMO-0002",
        "Non-enhancing left temporal tumor",
        102,
        Recipe("left", "temporal", (-44, -10, -20), "none", 44.0, 13.0, 0.0, False, 0.0, 0.8),
    ),
    DemoStudy(
        "DEMO-0003",
        "Butterfly tumor through the genu of the corpus callosum",
        112,
        Recipe("both", "frontal", (0, 27, 8), "patchy", 52.0, 50.0, 0.4, True, 0.0, 0.7),
    ),
    DemoStudy(
        "DEMO-0004",
        "Small solid left parietal tumor",
        104,
        Recipe("left", "parietal", (-30, -52, 42), "solid", 11.5, 7.0, 0.94, False, 0.0, 0.5),
    ),
    DemoStudy(
        "DEMO-0005",
        "Rim-enhancing right occipital tumor in wide edema",
        105,
        Recipe("right", "occipital", (22, -84, 8), "rim", 20.0, 90.0, 0.5, True, 0.0, 0.6, True),
    ),
    DemoStudy(
        "DEMO-0006",
        "Left cerebellar tumor",
        106,
        Recipe("left", "cerebellum", (-24, -62, -36), "rim", 15.0, 8.0, 0.55, True, 0.0, 0.6),
    ),
)
