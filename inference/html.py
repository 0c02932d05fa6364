"""HTML from the templates: every value is escaped, a missing one is an error."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from viewer.printable import whole_characters


def render_html(template: str, **values: Any) -> str:
    """The template of `inference/templates` with its values, in characters that can be sent."""
    return whole_characters(_templates().get_template(template).render(**values))


@lru_cache(maxsize=1)
def _templates() -> Environment:
    loader = PackageLoader("inference")
    return Environment(loader=loader, autoescape=True, undefined=StrictUndefined)
