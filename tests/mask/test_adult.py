"""The published comparison on the Adult file, in short: who keeps meaning, who is safest, and who sees through it."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from discreet.attack import k_anonymity, l_diversity
from discreet.mask import generalise
from discreet.table import Table

SCRIPT = Path(__file__).resolve().parents[2] / "experiments" / "adult.py"
KS = (5, 500)
ADAPTIVE = "semantic adaptive (SA-MDAV)"


@pytest.fixture(scope="module")
def experiment() -> dict[str, Any]:
    return runpy.run_path(str(SCRIPT))


@pytest.fixture(scope="module")
def rows(experiment: dict[str, Any], reference_data: Path) -> dict[tuple[str, int], Any]:
    table = experiment["adult"](reference_data)
    found = experiment["measured"](table, experiment["METHODS"], KS)
    return {(row.method, row.k): row for row in found}


def test_the_file_is_the_published_one_but_for_a_few_pairs(
    experiment: dict[str, Any], reference_data: Path
) -> None:
    table = experiment["adult"](reference_data)
    sizes = table.frame.group_by(experiment["COLUMNS"]).len()["len"]
    assert len(table) == 30162
    assert (len(sizes), int((sizes == 1).sum()), sizes.max()) == (394, 84, 3735)


@pytest.mark.parametrize("k", KS)
def test_adaptive_microaggregation_keeps_more_meaning_than_the_others(
    rows: dict[tuple[str, int], Any], k: int
) -> None:
    own = rows[ADAPTIVE, k].loss
    for (method, size), row in rows.items():
        if size == k and method != ADAPTIVE:
            assert own < row.loss, method


@pytest.mark.parametrize("k", KS)
def test_resampling_has_the_least_risk(rows: dict[tuple[str, int], Any], k: int) -> None:
    least = min((row for (_, size), row in rows.items() if size == k), key=lambda row: row.semantic)
    assert least.method == "semantic resampling"


def test_common_subsumers_do_well_in_small_groups_and_badly_in_large_ones(
    rows: dict[tuple[str, int], Any],
) -> None:
    lcs, mode = "fixed size, Wu-Palmer and LCS", "fixed size, 0/1 and mode"
    assert rows[lcs, 5].loss < rows[mode, 5].loss
    assert rows[lcs, 500].loss > rows[mode, 500].loss


def test_words_find_most_where_the_mode_is_published_and_least_where_the_common_subsumer_is(
    rows: dict[tuple[str, int], Any],
) -> None:
    subsumer, adaptive, mode = (
        rows[method, 5].matching
        for method in ("fixed size, Wu-Palmer and LCS", ADAPTIVE, "fixed size, 0/1 and mode")
    )
    assert subsumer < adaptive < mode


def test_meaning_finds_more_than_matching_words(rows: dict[tuple[str, int], Any]) -> None:
    few = {method: row for (method, k), row in rows.items() if k == min(KS)}
    assert all(row.semantic >= row.matching for row in few.values())
    subsumers = few["fixed size, Wu-Palmer and LCS"]
    assert subsumers.semantic > 1.25 * subsumers.matching


def test_five_alike_and_two_classes_of_income_in_each_with_the_least_loss(reference_data: Path) -> None:
    keys = ["age", "workclass", "education", "marital-status", "occupation", "relationship", "race", "sex"]
    frame = (
        pl.read_csv(reference_data / "adult.csv.gz").drop_nulls().select([*keys, "native-country", "income"])
    )
    table = Table.of(frame, roles={"income": "confidential"}, rest="quasi-identifier")
    alone = generalise(table, k=5, max_suppressed=0.02)
    diverse = generalise(table, k=5, l=2, max_suppressed=0.02)
    assert alone.facts["loss"] <= diverse.facts["loss"] < 1
    assert l_diversity(alone.table).l == 1
    assert k_anonymity(diverse.table).k >= 5
    assert l_diversity(diverse.table).l >= 2
