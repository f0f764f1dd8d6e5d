"""What is published names no cell that the published table does not show."""

from __future__ import annotations

import datetime as dt
import json
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from discreet.attack import transparency
from discreet.errors import DiscreetError
from discreet.parameters import RARE, REST, joined_shares
from discreet.plan import Plan
from discreet.protection import protect
from discreet.reading.frame import read_frame
from discreet.registry import Method, methods
from discreet.release import Release
from discreet.table import Column, Role, Scale, Table
from discreet.transitions import likely_matrix, published_matrix

MASKS = [pytest.param(each, id=each.name) for each in methods("mask")]
MARK = "qzx"
"""Stands in every marked text; a marked number has digits that no computation comes by."""
ODD = 7313.4127
RECORDS = 120


def marked(seed: int = 0) -> Table:
    """A table of which every column has cells, levels, labels or codes that nothing else holds."""
    rng = np.random.default_rng(seed)
    often = [f"{MARK}often{place}" for place in range(3)]
    town = [*rng.choice(often, RECORDS - 3).tolist(), f"{MARK}raretown", f"{MARK}rarevillage", None]
    grade = [*rng.choice(["low", "mid"], RECORDS - 1).tolist(), f"{MARK}topgrade"]
    income = np.round(rng.normal(3000, 500, RECORDS), 2)
    income[-1] = ODD
    born = [dt.date(1960, 1, 1) + dt.timedelta(days=int(each)) for each in rng.integers(0, 9000, RECORDS)]
    born[-1] = dt.date(1907, 3, 29)
    frame = pl.DataFrame(
        {
            "person": [f"{MARK}person{place}" for place in range(RECORDS)],
            "note": [f"{MARK}note{place}" for place in range(RECORDS)],
            "town": town,
            "grade": grade,
            "income": income,
            "age": rng.integers(20, 60, RECORDS),
            "born": born,
            "member": rng.random(RECORDS) < 0.5,
            "sex": rng.integers(1, 3, RECORDS),
            "illness": rng.choice([f"{MARK}ill{place}" for place in range(4)], RECORDS),
        }
    )
    roles = {"person": Role.IDENTIFIER, "note": Role.INSENSITIVE, "illness": Role.CONFIDENTIAL}
    scales = {
        "note": Scale.TEXT,
        "grade": Scale.ORDINAL,
        "income": Scale.NUMERIC,
        "age": Scale.NUMERIC,
        "born": Scale.NUMERIC,
    }
    levels = (f"{MARK}unused", "low", "mid", f"{MARK}topgrade")
    labels = {"1": "man", "2": "woman", "9": f"{MARK}refused"}
    columns = [
        Column(
            name=name,
            role=roles.get(name, Role.KEY),
            scale=scales.get(name, Scale.NOMINAL),
            order=levels if name == "grade" else (),
            value_labels=labels if name == "sex" else {},
            missing_codes=("99", "977.25 to 988.25") if name == "age" else (),
        )
        for name in frame.columns
    ]
    return Table.assemble(frame, columns, name="marked")


def told_markers(table: Table, public: str, release: Release) -> list[str]:
    """The marked texts and numbers of the original that stand in some text and that no published cell holds."""
    secrets = {"unused", "refused", "977.25", "988.25", str(ODD), "7313.4", "1907-03-29", "-22923"}
    for name in table.names:
        if table.frame[name].dtype == pl.String:
            secrets |= {str(each) for each in table.frame[name].drop_nulls().unique().to_list()}
    shown = set()
    for name in release.table.names:
        shown |= {str(each) for each in release.table.frame[name].cast(pl.String).unique().to_list()}
    together = " ".join(shown)
    return [each for each in secrets if each not in together and each in public]


SEMANTIC = {
    "columns": ["town"],
    "ontology": "wordnet",
    "unmapped": "apart",
    "mapping": {f"{MARK}raretown": "village", f"{MARK}often0": "city"},
}
PARAMETERS: dict[str, list[dict[str, Any]]] = {
    "top_code": [
        {"columns": ["income"], "threshold": ODD, "replace": "mean"},
        {"columns": ["income"], "threshold": ODD - 2000},
        {"columns": ["grade"], "categories": 2, "label": "upper"},
    ],
    "bottom_code": [
        {"columns": ["born"], "share": 0.05, "replace": "mean"},
        {"columns": ["income"], "threshold": -ODD},
    ],
    "recode": [
        {"columns": ["town"], "mapping": {f"{MARK}raretown": "land", f"{MARK}rarevillage": "land"}},
        {"columns": ["town"], "rarest": 2},
        {"columns": ["grade"], "mapping": {f"{MARK}topgrade": "mid"}},
    ],
    "recode_numbers": [
        {"columns": ["income"], "cuts": [2500, 3000, ODD + 1, ODD + 2]},
        {"columns": ["age"], "bins": 3},
    ],
    "pram": [
        {"columns": ["town", "grade"], "theta": 0.6},
        {"columns": ["town"], "theta": 0.6, "variant": "invariant"},
        {
            "columns": ["grade"],
            "variant": "given",
            "matrix": {
                "low": {"low": 1.0},
                "mid": {"mid": 1.0},
                f"{MARK}topgrade": {"mid": 1.0},
            },
        },
    ],
    "round": [{"columns": ["income"], "base": 100}],
    "camouflage": [{"columns": ["income"], "width": 1000}],
    "record_swap": [{"columns": ["town", "income"]}],
    "microaggregate": [{"columns": ["income", "grade"], "k": 5}],
    "impute": [{"columns": ["income", "town"]}],
    "generalise": [{"columns": ["income", "town", "grade"], "k": 3, "max_suppressed": 0.2}],
    "semantic_swap": [{"p": 20, **SEMANTIC}],
    "semantic_microaggregate": [SEMANTIC],
    "semantic_recode": [SEMANTIC],
    "semantic_resample": [SEMANTIC],
}


@pytest.mark.parametrize("method", MASKS)
def test_no_public_byte_holds_a_cell_that_is_not_published(method: Method, tmp_path: Path) -> None:
    table, tried = marked(), 0
    for number, parameters in enumerate(PARAMETERS.get(method.name, [dict(method.example)])):
        try:
            release = protect(table, Plan.of([(method.name, parameters)]), seed=3)
        except DiscreetError:
            continue
        tried += 1
        folder = release.save(tmp_path / str(number), file="marked.csv")
        public = (folder / "public" / "manifest.json").read_text(encoding="utf-8")
        assert told_markers(table, public, release) == []
        assert "person" not in json.loads(public)["columns"]
        assert MARK not in str(Release.load(folder / "public").manifest.dropped)
        loaded = Release.load(folder)
        assert loaded.table.columns == release.table.columns
        assert loaded.plan.to_dict() == Plan.of([(method.name, parameters)]).to_dict()
    assert tried


@pytest.mark.parametrize("ending", ["csv", "parquet", "arrow", "xlsx", "sav", "dta", "xpt"])
def test_no_format_holds_a_cell_that_is_not_published(ending: str, tmp_path: Path) -> None:
    table = marked()
    if ending in ("sav", "dta", "xpt"):
        table = replace(
            table,
            frame=table.frame.with_columns(pl.col("member").cast(pl.Int8), pl.col("age").cast(pl.Int32)),
        )
    plan = Plan.of(
        [
            ("recode", {"columns": ["town"], "rarest": 2, "label": "land"}),
            ("top_code", {"columns": ["income"], "share": 0.1}),
            ("bottom_code", {"columns": ["born"], "share": 0.1}),
            ("top_code", {"columns": ["grade"], "categories": 2, "label": "upper"}),
        ]
    )
    release = protect(table, plan, seed=5)
    folder = release.save(tmp_path / "out", file=f"marked.{ending}")
    content = b"".join(_bytes(each) for each in sorted((folder / "public").iterdir()))
    for secret in ("raretown", "rarevillage", "topgrade", "unused", "refused", "person", f"{MARK}note"):
        assert secret.encode() not in content.replace(b"people", b"")
    if ending in ("sav", "dta"):
        spec = read_frame(folder / "public" / f"marked.{ending}").specs["sex"]
        assert set(spec.value_labels) == {"1", "2"}
        assert not spec.missing_codes


def _bytes(path: Path) -> bytes:
    if path.suffix != ".xlsx":
        return path.read_bytes()
    with zipfile.ZipFile(path) as parts:
        return b"".join(parts.read(name) for name in parts.namelist())


def test_levels_labels_and_missing_codes_are_those_that_occur() -> None:
    release = protect(marked(), Plan.of([("suppress", {"columns": ["grade"], "k": 3})]), seed=1)
    told = release.manifest.to_dict()["columns"]
    assert told["grade"]["order"] == ["low", "mid"]
    assert told["sex"]["value_labels"] == {"1": "man", "2": "woman"}
    assert release.table["age"].missing_codes == ()


def test_dropped_columns_are_counted_in_public_and_named_in_private() -> None:
    release = protect(marked(), Plan.of([("round", {"columns": ["age"], "base": 5})]))
    assert release.manifest.to_dict()["columns_dropped"] == 2
    assert release.secrets.to_dict()["columns_dropped"] == ["person", "note"]


def test_every_parameter_that_can_hold_cells_says_what_of_it_is_shown() -> None:
    withheld = [
        f"{method.name} {each.name}"
        for method in methods("mask")
        for each in method.parameters
        if each.kind.holds_cells and type(each.kind)._shown.__qualname__ == "Kind._shown"
    ]
    assert withheld == []
    cells = {
        each.name
        for each in _parameters("pram", "recode", "recode_numbers", "top_code")
        if each.kind.holds_cells
    }
    assert {"mapping", "cuts", "threshold", "matrix", "frequencies"} <= cells


def _parameters(*names: str) -> list[Any]:
    return [each for method in methods("mask") if method.name in names for each in method.parameters]


def test_rare_shares_are_joined_and_the_rest_is_never_one_category() -> None:
    shares = {"a": 0.5, "b": 0.3, "c": 0.18, "d": 0.02}
    counts = {"a": 100, "b": 60, "c": 36, "d": 4}
    told = joined_shares(shares, counts, 200)
    assert set(told) == {"a", "b", REST}
    assert told[REST] == pytest.approx(0.2)
    assert joined_shares({"a": 0.6, "b": 0.4}, {"a": 60, "b": 40}, 100) == {"a": 0.6, "b": 0.4}
    assert set(joined_shares(shares, {"a": 5}, 200)) == {REST}


@pytest.mark.parametrize("variant", ["frequency", "invariant"])
def test_the_matrix_of_joined_categories_is_that_of_the_joined_file(variant: str) -> None:
    rng = np.random.default_rng(4)
    values = rng.permutation(["a"] * 300 + ["b"] * 200 + ["c"] * 90 + ["d"] * 6 + ["e"] * 4).tolist()
    table = Table.of(pl.DataFrame({"v": values}), roles={}, rest="quasi-identifier")
    release = protect(table, Plan.of([("pram", {"theta": 0.5, "variant": variant})]), seed=2)
    categories, matrix = published_matrix(release.manifest.steps[0], "v")
    assert categories == ("a", "b", "c", REST)
    np.testing.assert_allclose(matrix.sum(axis=1), 1.0)
    shares = np.array([300, 200, 90, 10]) / 600
    np.testing.assert_allclose(shares @ matrix, shares, atol=1e-12)
    whole, own = published_matrix({"parameters": release.secrets.parameters[0]}, "v")
    np.testing.assert_allclose(matrix[:3, :3], own[:3, :3])
    np.testing.assert_allclose(matrix[:3, 3], own[:3, 3:].sum(axis=1))
    assert whole == ("a", "b", "c", "d", "e")
    counts = {"a": 290, "b": 205, "c": 92, "d": 7, "e": 6}
    labels, likely = likely_matrix(release.manifest.steps[0], "v", counts)
    np.testing.assert_allclose(likely[:3, :3], own[:3, :3])
    assert set(labels) == set("abcde")
    assert likely[labels.index("d"), labels.index("d")] > likely[labels.index("a"), labels.index("d")]


def test_a_hidden_mapping_protects_nobody_from_the_attack() -> None:
    rng = np.random.default_rng(1)
    columns = {
        "v": rng.choice(list("abcdef"), 200).tolist(),
        "w": rng.integers(0, 40, 200).tolist(),
    }
    table = Table.of(pl.DataFrame(columns), roles={}, rest="quasi-identifier")
    mapping = {"a": "x", "b": "x", "c": "y", "d": "y", "e": "z", "f": "z"}
    release = protect(table, Plan.of([("recode", {"columns": ["v"], "mapping": mapping})]), seed=1)
    assert release.manifest.steps[0]["parameters"]["mapping"] == {}
    found = transparency(table, release.table, truth=release.truth, manifest=release.manifest)
    joint = [(mapping[v], w) for v, w in zip(columns["v"], columns["w"], strict=True)]
    assert found.risk == pytest.approx(np.mean([1 / joint.count(each) for each in joint]))


def test_a_plan_in_words_counts_what_can_hold_cells() -> None:
    plan = Plan.of([("recode", {"columns": ["town"], "mapping": {f"{MARK}raretown": "land"}})])
    release = protect(marked(), plan)
    assert str(plan) == "recode(columns=town, mapping=1 entries)"
    assert MARK not in str(release) + repr(release)


def test_ten_records_make_a_category_that_is_named() -> None:
    assert RARE == 10
