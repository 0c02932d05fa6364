"""Where on disk the application keeps what it makes."""

from __future__ import annotations

import os
from pathlib import Path

CACHE_VARIABLE = "MRI_VQA_CACHE"


def cache_folder() -> Path:
    """The folder that MRI_VQA_CACHE names, else the user's cache folder."""
    from platformdirs import user_cache_dir

    return Path(os.environ.get(CACHE_VARIABLE) or user_cache_dir("mri-vqa-viewer"))
