"""The transformer for scikit-learn: the checks of scikit-learn itself, and what they do not know of masking."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.utils import estimator_html_repr
from sklearn.utils.estimator_checks import check_estimator

import discreet as dc
from discreet import seeds
from discreet.errors import BadParameter, BadTable, DiscreetError, UnknownColumn, Unreachable

SIZE = 40
SEED = 987_654_321
ROLES = {"name": "identifier", "note": "insensitive"}
STEPS = ["microaggregate k=4 columns=age,income", "pram columns=region theta=0.5"]


def frame() -> pl.DataFrame:
    rng = np.random.default_rng(8)
    return pl.DataFrame(
        {
            "name": [f"person {place}" for place in range(SIZE)],
            "age": rng.integers(18, 90, SIZE),
            "income": rng.normal(30_000, 9_000, SIZE),
            "region": rng.choice(["north", "south", "west"], SIZE),
            "note": list(range(SIZE)),
        }
    )


def masker(**parameters: Any) -> dc.Masker:
    return dc.Masker(**{"plan": STEPS, "roles": ROLES, "seed": SEED, **parameters})


UNSET = {"check_array_api_input": "runs only where SCIPY_ARRAY_API is set, before scipy is imported"}
COMPARE_TWO = ("check_transformer_data_not_an_array", "check_transformer_general")
NOT_REPEATED = dict.fromkeys(
    ("check_pipeline_consistency", *COMPARE_TWO),
    "without a seed every masking is another, and scikit-learn leaves out what compares two",
)
NOT_MASKED = dict.fromkeys(COMPARE_TWO, "fit_transform masks, and transform is to give records as they are")
TABLE_AS_A_WHOLE = {
    "check_methods_subset_invariance": "a table is masked as a whole: a part of it gives other groups, or too few",
}
DRAWN_BY_PLACE = {
    "check_methods_sample_order_invariance": "noise is drawn by place, so another order gets other noise",
}


@pytest.mark.parametrize(
    ("estimator", "failed", "skipped"),
    [
        (dc.Masker(["microaggregate k=3"]), {}, UNSET | NOT_REPEATED),
        (dc.Masker(["microaggregate k=3"], seed=SEED), TABLE_AS_A_WHOLE, UNSET),
        (dc.Masker(["add_noise"], seed=SEED), TABLE_AS_A_WHOLE | DRAWN_BY_PLACE, UNSET),
        (dc.Masker(["add_noise"], new_records="original", seed=SEED), NOT_MASKED, UNSET),
    ],
    ids=["no seed", "seed", "noise", "new records as they are"],
)
def test_the_checks_of_scikit_learn_pass_but_for_exactly_those_with_a_reason(
    estimator: dc.Masker, failed: dict[str, str], skipped: dict[str, str]
) -> None:
    results = check_estimator(estimator, on_skip=None, on_fail=None)
    found: dict[str, set[str]] = {"passed": set(), "failed": set(), "skipped": set()}
    for each in results:
        found[each["status"]].add(each["check_name"])
    assert found["failed"] == set(failed)
    assert found["skipped"] == set(skipped)
    assert len(found["passed"]) > 30


@pytest.mark.parametrize(
    "kind", [pl.DataFrame, pl.DataFrame.to_pandas, pl.DataFrame.to_arrow], ids=["polars", "pandas", "arrow"]
)
def test_the_result_is_what_protect_gives_of_the_kind_that_came_in(kind: Callable[..., Any]) -> None:
    given = kind(frame())
    made = masker().fit_transform(given)
    assert type(made) is type(given)
    table = dc.Table.of(given, roles=ROLES, rest="quasi-identifier")
    release = dc.protect(table, dc.Plan.of(STEPS), seed=SEED)
    assert made.equals(release.table.to_native())


def test_records_keep_their_place_and_pandas_its_index() -> None:
    given = frame().to_pandas().set_index(pd.Index(range(500, 500 + SIZE)))
    made = masker().fit_transform(given)
    assert made.index.equals(given.index)
    assert made["note"].equals(given["note"])
    assert not made["age"].equals(given["age"])


def test_an_array_stays_an_array_of_its_type() -> None:
    given = np.random.default_rng(2).normal(size=(20, 3)).astype(np.float32)
    made = dc.Masker(["microaggregate k=4 columns=x0,x2"]).fit_transform(given)
    assert isinstance(made, np.ndarray)
    assert made.dtype == np.float32
    assert np.array_equal(made[:, 1], given[:, 1])
    assert len(np.unique(made[:, 0])) <= 5


def test_an_array_of_objects_has_columns_of_one_type_each() -> None:
    given = np.array([[1, "a"], [2, "b"], [3, "b"]], dtype=object)
    made = dc.Masker(["microaggregate k=3"]).fit_transform(given)
    assert made.tolist() == [[2, "a"], [2, "b"], [2, "b"]]
    given[0, 0] = "SECRETCELL"
    with pytest.raises(BadTable, match="column 'x0' holds values of several types") as raised:
        dc.Masker(["microaggregate k=3"]).fit(given)
    assert "SECRETCELL" not in str(raised.value)


def test_identifiers_and_free_text_are_gone_and_the_names_say_so() -> None:
    fitted = masker(scales={"region": "text"}, plan=STEPS[:1]).fit(frame())
    assert list(fitted.get_feature_names_out()) == ["age", "income", "note"]
    assert fitted.transform(frame()).columns == ["age", "income", "note"]
    assert list(fitted.feature_names_in_) == frame().columns


@pytest.mark.parametrize("new_records", ["masked", "original"])
@pytest.mark.parametrize("kind", ["pandas", "polars"])
def test_set_output_gives_frames_with_the_types_of_their_columns(kind: str, new_records: str) -> None:
    for given in (frame(), frame().to_pandas(), frame().to_arrow()):
        made = masker(new_records=new_records).set_output(transform=kind).fit(given).transform(given)
        assert type(made).__module__.split(".")[0] == kind
        assert "float" in str(made["income"].dtype).lower()
    made = dc.Masker(["microaggregate k=4"]).set_output(transform=kind).fit_transform(np.eye(8))
    assert list(made.columns) == [f"x{place}" for place in range(8)]


def test_a_clone_and_a_pickle_mask_in_the_same_way() -> None:
    first = masker(plan=dc.Plan.of(STEPS)).fit(frame())
    for other in (clone(first).fit(frame()), pickle.loads(pickle.dumps(first))):
        assert other.transform(frame()).equals(first.transform(frame()))


def test_a_fitted_masker_holds_no_cell() -> None:
    given = frame().with_columns(pl.lit("SECRETCELL").alias("region"))
    assert b"SECRETCELL" not in pickle.dumps(masker().fit(given))


def test_nothing_shows_the_seed() -> None:
    made = masker()
    made.set_params(seed=SEED)
    pipeline = make_pipeline(made, LogisticRegression())
    shown = (repr(made), str(made), repr(pipeline), str(made.get_params()), str(pipeline.get_params()))
    for text in (*shown, estimator_html_repr(made), estimator_html_repr(pipeline)):
        assert str(SEED) not in text
    assert made.get_params()["seed"] == SEED


def test_without_a_seed_every_masking_is_another(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = iter(range(1, 9))
    monkeypatch.setattr(seeds, "draw", lambda: next(drawn))
    unseeded = dc.Masker(STEPS, roles=ROLES).fit(frame())
    assert not unseeded.transform(frame()).equals(unseeded.transform(frame()))


def test_new_records_are_masked_as_a_table_of_their_own() -> None:
    fitted = masker().fit(frame())
    part = frame().head(12)
    assert fitted.transform(part).equals(masker().fit_transform(part))
    with pytest.raises(Unreachable, match="needs at least 4 records"):
        fitted.transform(frame().head(1))


def test_new_records_can_be_taken_as_they_are() -> None:
    fitted = masker(new_records="original")
    trained = fitted.fit_transform(frame())
    assert trained.equals(masker().fit_transform(frame()))
    assert fitted.transform(frame().head(1)).equals(frame().head(1).drop("name"))


def test_a_pipeline_learns_from_masked_records_and_is_asked_about_real_ones() -> None:
    rng = np.random.default_rng(3)
    X = rng.normal(size=(120, 2))
    y = X[:, 0] > 0
    pipeline = make_pipeline(dc.Masker(["microaggregate k=3"], new_records="original"), LogisticRegression())
    assert cross_val_score(pipeline, X, y, cv=3).mean() > 0.9
    assert pipeline.fit(X, y).predict(X[:1]).shape == (1,)


@pytest.mark.parametrize(
    "method", [each.name for each in dc.methods("mask") if each.family == "synthetic"] + ["sample"]
)
def test_a_plan_that_does_not_keep_records_is_refused_before_it_runs(method: str) -> None:
    plan = [(method, {"fraction": 0.5} if method == "sample" else {})]
    with pytest.raises(BadParameter, match="protect before the pipeline"):
        masker(plan=plan).fit(frame())


def test_a_plan_that_turns_out_to_add_records_is_refused() -> None:
    with pytest.raises(BadParameter, match="made 80 records of 40"):
        masker(plan=[("impute", {"implicates": 2})]).fit_transform(frame())


@pytest.mark.parametrize(
    ("parameters", "error"),
    [
        ({"plan": ["microaggregate columns=agee"]}, UnknownColumn),
        ({"plan": ["pram columns=name"]}, BadTable),
        ({"new_records": "kept"}, BadParameter),
        ({"seed": -1}, BadParameter),
        ({"rest": None}, BadTable),
    ],
)
def test_what_does_not_fit_is_said_by_fit(parameters: dict[str, Any], error: type[DiscreetError]) -> None:
    with pytest.raises(error):
        masker(**parameters).fit(frame())
