import numpy as np

from viewer.synthesis import Anatomy
from viewer.synthesis.deformation import Deformation, located, midline_shift_mm, pushed
from viewer.synthesis.regions import CODES, SITES, region_map


def test_tissue_shares_sum_to_one_inside(anatomy: Anatomy) -> None:
    inside = anatomy.depth_mm > 3.0
    total = anatomy.white + anatomy.grey + anatomy.csf
    np.testing.assert_allclose(total[inside], 1.0, atol=1e-3)


def test_the_template_is_symmetric_about_x_zero(anatomy: Anatomy) -> None:
    x = anatomy.coordinates_mm()[0]
    share = anatomy.white[x > 0].sum() / anatomy.white.sum()
    assert abs(share - 0.5) < 0.02


def test_every_site_lies_in_its_lobe() -> None:
    for site in SITES:
        corners = np.array(
            [[x, y, z] for x in site.x for y in site.y for z in site.z], dtype=np.float32
        )
        assert set(region_map(corners.T)) == {CODES[site.lobe]}, site


def test_an_undeformed_head_has_no_shift_and_points_stay_where_they_are(anatomy: Anatomy) -> None:
    grid = anatomy.coordinates_mm()
    still = Deformation(grid.copy(), grid)
    assert abs(midline_shift_mm(still, anatomy)) < 0.01
    point = np.array([[20.0, -10.0, 15.0]])
    np.testing.assert_allclose(located(still, anatomy, point), point, atol=0.05)


def test_a_growing_tumor_on_the_right_moves_the_midline_to_the_left(anatomy: Anatomy) -> None:
    grid = anatomy.coordinates_mm()
    still = Deformation(grid.copy(), grid)
    bent = pushed(still, anatomy, np.array([35.0, 10.0, 15.0]), 60.0, 0.5, -8.0)
    assert -14.0 < midline_shift_mm(bent, anatomy) < -5.0
