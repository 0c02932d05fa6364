"""The options inside a question's text, with the traps that real files hold."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from inference.option_lists import options_cell, options_of, split_options

CASES = {
    "lines": ("Where?\n1) Left\n2) Right", "Where?", ("Left", "Right")),
    "one line": ("Where? 1) Left 2) Right 3) Both", "Where?", ("Left", "Right", "Both")),
    "windows lines": ("Where?\r\n1) Left\r\n2) Right", "Where?", ("Left", "Right")),
    "grade in brackets": (
        "Which? 1) Glioblastoma (grade 4) 2) Astrocytoma (grade 2) 3) Other",
        "Which?",
        ("Glioblastoma (grade 4)", "Astrocytoma (grade 2)", "Other"),
    ),
    "who grade first": (
        "Which?\n1) (WHO grade 4) glioblastoma\n2) (WHO grade 2) glioma",
        "Which?",
        ("(WHO grade 4) glioblastoma", "(WHO grade 2) glioma"),
    ),
    "ten": ("How many? 1) up to 10) lesions 2) more", "How many?", ("up to 10) lesions", "more")),
    "size with a sequence": (
        "Size? 1) 5 mm (T2) 2) 7 mm (T2)", "Size?", ("5 mm (T2)", "7 mm (T2)")
    ),
    "grades in the stem": (
        "Graded as Grade 1) low, Grade 2) high. Which is it? 1) low 2) high 3) unclear",
        "Graded as Grade 1) low, Grade 2) high. Which is it?",
        ("low", "high", "unclear"),
    ),
    "list in the stem, options on lines": (
        "Given 1) edema and 2) mass effect, what is it?\n1) Tumor\n2) Stroke",
        "Given 1) edema and 2) mass effect, what is it?",
        ("Tumor", "Stroke"),
    ),
    "number after a marker": (
        "Count?\n1) 1) or more\n2) 2\n3) none", "Count?", ("1) or more", "2", "none")
    ),
    "whole list in brackets": ("Graded (1) low 2) high) so? 1) a 2) b", None, ("a", "b")),
    "forgotten bracket": ("Where (so?\n1) Left\n2) Right", "Where (so?", ("Left", "Right")),
    "no options": ("Where is it?", "Where is it?", ()),
    "a single marker": ("Grade 1) or what?", "Grade 1) or what?", ()),
    "option over two lines": ("Q\n1) one\ntwo\n2) three", "Q", ("one two", "three")),
    "glued to a word": ("T1) is it? 1) yes 2) no", "T1) is it?", ("yes", "no")),
}  # fmt: skip


@pytest.mark.parametrize(("text", "stem", "options"), CASES.values(), ids=CASES.keys())
def test_stem_and_options(text: str, stem: str | None, options: tuple[str, ...]) -> None:
    found_stem, found = split_options(text)
    assert found == options
    assert stem is None or found_stem == stem


@given(st.lists(st.text(max_size=8), min_size=2, max_size=5))
@example(["a | b", "c"])
@example(['["x"]', "y"])
@example(["[", "]"])
def test_a_cell_of_a_table_gives_its_options_back(options: list[str]) -> None:
    assert options_of(options_cell(options)) == tuple(options)
