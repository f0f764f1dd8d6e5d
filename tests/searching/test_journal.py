from __future__ import annotations

import inspect
import json
from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from discreet.errors import BadFile, Mismatch
from discreet.intruder import Intruder
from discreet.plan import Plan
from discreet.searching import search
from discreet.searching.question import HOW_LONG, WORDS, Question, differences
from discreet.table import Table


@pytest.mark.parametrize(
    "content", [b"\xff\xfeZaphod\n", b"Zaphod,42\n", b"[" * 100_000, b"3\n", b'{"Zaphod": 1}\n']
)
def test_a_file_that_is_no_journal_is_a_bad_file_and_stays_as_it_is(
    numbers: Table, tmp_path: Path, content: bytes
) -> None:
    refused(numbers, tmp_path / "journal", content)


@pytest.mark.parametrize(
    "line", [b"Zaphod\n", b'{"Zaphod": 1}\n', b"3\n", b'{"trial": "0.0", "point": {"plan": "Zaphod"}}\n']
)
def test_a_line_that_is_no_point_makes_it_a_bad_file(numbers: Table, tmp_path: Path, line: bytes) -> None:
    search(numbers, trials=2, journal=tmp_path / "journal")
    refused(numbers, tmp_path / "journal", (tmp_path / "journal").read_bytes() + line)


def refused(table: Table, file: Path, content: bytes) -> None:
    file.write_bytes(content)
    with pytest.raises(BadFile) as raised:
        search(table, trials=2, journal=file)
    assert "Zaphod" not in str(raised.value)
    assert file.read_bytes() == content


@pytest.fixture(scope="module")
def numbers() -> Table:
    draws = np.random.default_rng(3)
    frame = pl.DataFrame(draws.normal(size=(60, 4)), schema=["a", "b", "c", "d"])
    return Table.of(frame, roles={"c": "confidential", "d": "confidential"}, rest="quasi-identifier")


def test_columns_that_became_quasi_identifiers_make_it_another_search(numbers: Table, tmp_path: Path) -> None:
    journal = tmp_path / "journal.jsonl"
    search(numbers, trials=2, journal=journal)
    held = journal.read_bytes()
    wider = Table.of(numbers.frame, roles={}, rest="quasi-identifier")
    with pytest.raises(Mismatch, match=r"what is said of the columns 'c', 'd'.*Give another file") as raised:
        search(wider, trials=2, journal=journal)
    assert raised.value.exit_code == 2
    assert "values" not in str(raised.value)
    assert journal.read_bytes() == held


def test_every_argument_of_a_search_is_part_of_the_question_or_says_only_how_long() -> None:
    parts = {each.name for each in fields(Question)}
    assert parts | HOW_LONG == set(inspect.signature(search).parameters)
    assert not parts & HOW_LONG


OTHER: dict[str, tuple[Callable[[Table], Any], str]] = {
    "table": (lambda table: table.take(np.arange(len(table) - 1)), "values"),
    "ceilings": (lambda table: {"link": 0.4}, "ceilings"),
    "floors": (lambda table: {"k_anonymity": 2}, "floors"),
    "methods": (lambda table: ["add_noise"], "methods"),
    "ranges": (lambda table: {"add_noise": {"amount": (0.1, 0.2)}}, "ranges"),
    "loss": (lambda table: "il", "loss"),
    "draw": (lambda table: 1, "draw"),
    "intruder": (lambda table: Intruder(records=0.5), "intruder"),
    "begin": (lambda table: [Plan.of(["rank_swap p=3"])], "begin"),
    "sample": (lambda table: "100 of d1ge57", "sample"),
}


def test_another_value_of_any_part_is_told_by_its_name(numbers: Table) -> None:
    """Had it been there, no journal would have answered for other roles."""
    assert set(OTHER) == {each.name for each in fields(Question)}
    question = Question(
        table=numbers,
        ceilings={"link": 0.5},
        floors={},
        methods=None,
        ranges=None,
        loss="lost",
        draw=0,
        intruder=Intruder(),
    )
    now = question.to_dict()
    assert differences(json.loads(json.dumps(now)), now) == []
    for name, (make, part) in OTHER.items():
        other = replace(question, **{name: make(numbers)})
        assert differences(other.to_dict(), now) == [WORDS[part]]


def test_another_version_or_an_older_form_of_journal_is_told(numbers: Table, tmp_path: Path) -> None:
    journal = tmp_path / "journal.jsonl"
    search(numbers, trials=2, journal=journal)
    head, _, rest = journal.read_text().partition("\n")
    for change, message in (
        (
            {"made_with": {**json.loads(head)["made_with"], "discreet": "0.0.1"}},
            "the version of discreet, 0.0.1",
        ),
        ({"format": 1}, "the form of the journal"),
    ):
        journal.write_text(json.dumps({**json.loads(head), **change}) + "\n" + rest)
        with pytest.raises(Mismatch, match=message):
            search(numbers, trials=2, journal=journal)


def test_what_confirms_a_plan_does_not_depend_on_where_a_search_was_stopped(
    numbers: Table, tmp_path: Path
) -> None:
    whole = search(numbers, ceilings={"link": 0.9}, trials=40, draw=4)
    journal = tmp_path / "journal.jsonl"
    for trials in (5, 16, 23, 40):
        stopped = search(numbers, ceilings={"link": 0.9}, trials=trials, draw=4, journal=journal)
    assert stopped.to_dict() == whole.to_dict()
