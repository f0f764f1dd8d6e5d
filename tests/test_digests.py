"""Whatever an answer depends on is part of its key: every field of every record, unless a short list says otherwise."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import fields, replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.assessment import assess
from discreet.caching import Cache, key_of, source_digest
from discreet.demo import table as census
from discreet.dialect import Dialect
from discreet.digests import NO_MATTER, digest_of
from discreet.intruder import Intruder
from discreet.manifest import PrivateManifest, PublicManifest, PublishedFile, PublishedPart, made_with
from discreet.method_call import MethodCall
from discreet.parameters import KEYS, NUMERIC_KEYS
from discreet.plan import Plan
from discreet.protection import protect
from discreet.release import Release
from discreet.table import Column, Role, Scale, Source, Table

PEOPLE = census(40, seed=1)
OTHERS = census(40, seed=2)
RELEASE = protect(PEOPLE, Plan.of([("rank_swap", {"p": 10})]), seed=1)
COLUMN = Column(name="age", role=Role.KEY, scale=Scale.NUMERIC)
FILE = PublishedFile(name="a.csv", digest="a", records=3, types={"age": "Int64"})

RECORDS: list[tuple[Any, Mapping[str, Any]]] = [
    (
        COLUMN,
        {
            "name": "income",
            "role": Role.CONFIDENTIAL,
            "scale": Scale.ORDINAL,
            "order": ("low", "high"),
            "ontology": "wordnet",
            "mapping": "map.csv",
            "label": "years",
            "value_labels": {"1": "one"},
            "missing_codes": ("99",),
            "importance": 2.0,
        },
    ),
    (
        PEOPLE,
        {
            "name": "others",
            "columns": (replace(PEOPLE.columns[0], role=Role.KEY), *PEOPLE.columns[1:]),
            "frame": OTHERS.frame,
            "native": "pandas",
            "source": Source(path="a.csv", digest="a"),
            "home": "elsewhere",
            "dialect": Dialect(delimiter=";"),
        },
    ),
    (
        Intruder(),
        {
            "columns": ("age",),
            "names": {"age": "alter"},
            "records": 0.5,
            "training": 0.1,
            "reads_manifest": False,
            "draw": 1,
            "holds": OTHERS,
            "match": "name",
            "population": OTHERS,
        },
    ),
    (
        RELEASE,
        {
            "table": OTHERS,
            "manifest": replace(RELEASE.manifest, order="kept"),
            "private": None,
            "guarantees": (),
            "persons": np.arange(40),
            "warnings": ("beware",),
            "vouched_by": "",
        },
    ),
    (
        RELEASE.manifest,
        {
            "steps": ({"method": "rank_swap", "parameters": {"p": 11}},),
            "columns": (COLUMN,),
            "guarantees": ({"guarantee": "KAnonymous"},),
            "dropped": 7,
            "pseudonymised": ("name",),
            "order": "kept",
            "rows_kept": False,
            "file": FILE,
            "steps_left": 1,
        },
    ),
    (
        RELEASE.secrets,
        {
            "seed": 2,
            "plan": Plan.of([("rank_swap", {"p": 11})]),
            "original": Source(path="a.csv", digest="a"),
            "original_records": 41,
            "facts": ({"swaps": 3},),
            "origin": np.arange(40)[::-1],
            "published": "a",
            "public_half": "a",
            "dropped": ("name",),
            "parameters": ({"p": 11},),
        },
    ),
    (
        FILE,
        {
            "name": "b.csv",
            "digest": "b",
            "records": 4,
            "types": {"age": "Float64"},
            "formulas_quoted": True,
            "dialect": Dialect(delimiter=";"),
            "parts": (PublishedPart(name="a", digest="a", records=3),),
        },
    ),
    (Plan.of([("rank_swap", {"p": 10})]), {"steps": ()}),
    (
        MethodCall.parse("attack", "link distance=gower"),
        {
            "label": "link",
            "kind": "mask",
            "name": "link_probabilistic",
            "parameters": {"distance": "euclidean"},
        },
    ),
]


@pytest.mark.parametrize(("record", "others"), RECORDS, ids=lambda each: type(each).__name__)
def test_every_field_of_a_record_is_part_of_its_digest_or_named_as_one_that_cannot_matter(
    record: Any, others: Mapping[str, Any]
) -> None:
    plain = {each.name: getattr(record, each.name) for each in fields(record)}
    assert set(others) == set(plain), "a field was added: say here what another value of it is"
    ignored = NO_MATTER.get(type(record).__name__, frozenset())
    assert ignored <= set(plain)
    before = digest_of(record)
    for name, value in others.items():
        other = object.__new__(type(record))  # a record in itself impossible has a digest of its own too
        for each in plain:
            object.__setattr__(other, each, value if each == name else plain[each])
        assert (digest_of(other) == before) == (name in ignored), name


def test_every_record_that_a_question_can_hold_is_in_the_test_above() -> None:
    tested = {type(record).__name__ for record, _ in RECORDS}
    assert {each.__name__ for each in (Column, Table, Intruder, Release, PublicManifest)} <= tested
    assert {each.__name__ for each in (PrivateManifest, PublishedFile, MethodCall, Plan)} <= tested
    assert set(NO_MATTER) <= tested


PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text() | st.binary(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


@given(PLAIN, PLAIN)
def test_plain_values_have_one_digest_just_where_they_are_equal(one: Any, other: Any) -> None:
    assert (digest_of(one) == digest_of(other)) == (tagged(one) == tagged(other))


def tagged(value: Any) -> Any:
    """The value as Python compares it, but with true apart from 1."""
    if isinstance(value, list):
        return [tagged(each) for each in value]
    if isinstance(value, dict):
        return {name: tagged(each) for name, each in value.items()}
    return ("flag" if isinstance(value, bool) else "", value)


def test_values_that_are_easily_confused_have_digests_of_their_own() -> None:
    different: list[object] = [
        None,
        "",
        "None",
        b"",
        0,
        False,
        [],
        {},
        [[]],
        [0],
        ["a", "b"],
        ["ab"],
        [["a"], "b"],
        {"a": "b"},
        KEYS,
        NUMERIC_KEYS,
        np.zeros(2),
        np.zeros((1, 2)),
        np.zeros(2, dtype=np.int64),
        float("nan"),
        float("inf"),
    ]
    assert len({digest_of(each) for each in different}) == len(different)


@pytest.mark.parametrize(
    "values",
    [
        pl.Series([Decimal("1.20"), None]),
        pl.Series([b"\xff", None]),
        pl.Series([True, None]),
        pl.Series([dt.timedelta(1), None]),
        pl.Series([dt.time(1), None]),
        pl.Series(["a", None], dtype=pl.Categorical),
        pl.Series(["a", None], dtype=pl.Enum(["a", "b"])),
        pl.Series([None, None]),
        pl.Series([[1], None]),
    ],
    ids=lambda values: str(values.dtype),
)
def test_values_of_every_type_have_a_digest_that_their_order_changes(values: pl.Series) -> None:
    assert (digest_of(values) == digest_of(values.reverse())) == values.equals(
        values.reverse(), null_equal=True
    )


def test_texts_have_one_digest_however_they_are_held() -> None:
    texts = pl.Series(["b", None, "", "a"])
    assert digest_of(texts.cast(pl.Categorical)) == digest_of(texts)
    assert digest_of(texts.cast(pl.Enum(["", "a", "b"]))) != digest_of(texts)  # it has an order of its own


def test_what_has_no_digest_is_refused_and_not_left_out() -> None:
    with pytest.raises(TypeError, match="object has no digest"):
        digest_of({"method": object()})


def test_files_that_parameters_and_columns_name_are_part_of_the_key(tmp_path: Path) -> None:
    for name in ("animals.csv", "pairs.csv"):
        (tmp_path / name).write_text("dog;animal\n")
    wanted = MethodCall.parse("attack", "link_semantic ontology=animals.csv mapping=pairs.csv")
    assert wanted.files == ["animals.csv", "pairs.csv"]
    frame = pl.DataFrame({"pet": ["dog", "dog"]})
    table = Table.of(frame, roles={"pet": "quasi-identifier"}, ontologies={"pet": "animals.csv"})
    table = replace(table, home=str(tmp_path))
    before = digest_of(table)
    (tmp_path / "animals.csv").write_text("cat;animal\n")
    assert digest_of(table) != before


def test_another_library_gives_another_key(monkeypatch: pytest.MonkeyPatch) -> None:
    before = key_of({"method": "link"})
    for name in made_with():
        versions = {**made_with(), name: "0.0.1"}
        with monkeypatch.context() as patched:
            patched.setattr("discreet.caching.made_with", versions.copy)
            assert key_of({"method": "link"}) != before


def test_another_source_gives_another_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = key_of({"method": "link"})
    monkeypatch.setattr("discreet.caching.source_digest", lambda: "another")
    assert key_of({"method": "link"}) != before
    (tmp_path / "room").mkdir()
    places = [tmp_path / "a.py", tmp_path / "room" / "b.py"]
    seen = set()
    for contents in (("x", ""), ("", "x"), ("x", "x"), ("y", "x")):
        for place, content in zip(places, contents, strict=True):
            place.write_text(content)
        seen.add(source_digest.__wrapped__(tmp_path))
    places[1].rename(tmp_path / "room" / "c.py")
    seen.add(source_digest.__wrapped__(tmp_path))
    assert len(seen) == 5


def test_the_whole_public_half_is_part_of_what_an_assessment_keeps(tmp_path: Path) -> None:
    """An intruder reads all of it, so no part of it may change and the old answer stay."""
    assess(PEOPLE, RELEASE, attacks=["link"], losses=[], cache=Cache(tmp_path))
    assert len(list(tmp_path.iterdir())) == 1
    told = replace(RELEASE, manifest=replace(RELEASE.manifest, order="kept"))
    assess(PEOPLE, told, attacks=["link"], losses=[], cache=Cache(tmp_path))
    assert len(list(tmp_path.iterdir())) == 2
