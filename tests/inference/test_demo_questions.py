from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

from inference.demo_questions import COLUMNS, demo_rows, write_demo_questions
from inference.question_files import read_questions
from inference.question_kinds import kind_of
from tests.inference.facts import PLAIN

IDS = [f"DEMO-{number:04d}" for number in range(1, 7)]


def demo_root(folder: Path) -> Path:
    for study_id in IDS:
        (folder / study_id).mkdir()
        facts = replace(PLAIN, whole_extent_mm=(40.0 + int(study_id[-1]), 70.0, 50.0))
        (folder / study_id / "facts.json").write_text(json.dumps(facts.to_json()))
    return folder


def test_each_study_has_six_to_ten_questions_that_read_back(tmp_path: Path) -> None:
    found = read_questions(write_demo_questions(demo_root(tmp_path), IDS))
    assert found.problems == ()
    counts = Counter(question.study_id for question in found.questions)
    assert set(counts) == set(IDS)
    assert all(6 <= count <= 10 for count in counts.values())
    for question in found.questions:
        kind = kind_of(question.stem)
        assert kind is not None
        assert question.answer is not None
        assert question.shuffled is not None
        assert question.category == kind.category


def test_truths_are_those_of_the_facts() -> None:
    answers = {row["qa_id"]: row["Answer"] for row in demo_rows("DEMO-0001", PLAIN)}
    assert answers["DEMO-0001-hemisphere"] == "Right hemisphere"
    assert answers["DEMO-0001-left-right-extent"] == "6.0 cm"
    assert answers["DEMO-0001-core-dimension"] == "4.0 x 4.5 x 3.8 cm"


def test_the_layout_is_the_benchmarks_and_the_bytes_are_the_same_twice(tmp_path: Path) -> None:
    path = write_demo_questions(demo_root(tmp_path), IDS)
    first, written = path.read_bytes(), path.stat().st_mtime_ns
    assert first.decode().splitlines()[0] == ",".join(COLUMNS)
    assert write_demo_questions(tmp_path, IDS).read_bytes() == first
    assert path.stat().st_mtime_ns == written


def test_the_right_option_stands_anywhere_in_both_orders() -> None:
    places: dict[str, Counter[int]] = {"Question": Counter(), "Shuffled Question": Counter()}
    for number in range(200):
        for row in demo_rows(f"X-{number}", PLAIN):
            for column, counter in places.items():
                options = [line.split(") ", 1)[1] for line in row[column].splitlines()[1:]]
                if len(options) == 4:
                    counter[options.index(row["Answer"])] += 1
    for counter in places.values():
        total = sum(counter.values())
        assert all(0.2 < counter[place] / total < 0.3 for place in range(4))
