import pytest

from viewer.synthesis import Anatomy, load_anatomy


@pytest.fixture(scope="session")
def anatomy() -> Anatomy:
    """The template at 3 mm: fast, and coarse enough for every rule to be seen."""
    return load_anatomy(3.0)
