"""What every method says of the twelve farmers. `python -m tests.conformance.farm_told` writes the expected answers.

Look at the difference before it is committed: each changed number is one that users see change.
"""

from __future__ import annotations

import json
import sys
from datetime import date
from pathlib import Path
from typing import Any

import polars as pl
from tests.conformance.small_farm import FARMERS, MASKED, TRUTH, farm
from tests.small_ontologies import ANIMALS

from discreet.assessment import Assessment, assess
from discreet.attack import coalition
from discreet.errors import DiscreetError
from discreet.inspection import inspect
from discreet.plan import Plan
from discreet.protection import protect
from discreet.registry import Family, find
from discreet.reporting import charts, report
from discreet.reporting.map_chart import of_map
from discreet.results import Loss, Risk, plain
from discreet.table import Table

FOLDER = Path(__file__).resolve().parents[1] / "oracle" / "farm"
NUMBERS = ["age", "income"]
MEANING: dict[str, Any] = {"columns": ["animal"], "ontology": ANIMALS}
TWO: dict[str, Any] = {"columns": ["age", "town"]}
BAND: dict[str, Any] = {"keys": ["town", "animal"]}
SEED = 5

MASKS: list[tuple[str, dict[str, Any]]] = [
    ("add_noise", {"columns": NUMBERS}),
    ("add_noise", {"columns": NUMBERS, "variant": "correlated"}),
    ("bottom_code", {"columns": ["age"], "threshold": 30}),
    ("bottom_code", {"columns": ["age"], "share": 0.25, "replace": "mean", "weighted": True}),
    ("bottom_code", {"columns": ["school"], "categories": 1}),
    ("top_code", {"columns": ["school"], "categories": 2}),
    ("top_code", {"columns": ["income"], "share": 0.2}),
    ("top_code", {"columns": ["income"], "threshold": 30, "replace": "mean"}),
    ("camouflage", {"columns": ["income"], "width": 5.0}),
    ("compress", {"columns": NUMBERS}),
    ("distort", {"columns": ["income", "town"]}),
    ("distort", {"columns": ["income"], "family": "normal", "bounded": True}),
    ("fuzzy_microaggregate", {"columns": NUMBERS, "k": 3}),
    ("generalise", {**TWO, "k": 2, "max_suppressed": 0.2}),
    ("generalise", {**TWO, "k": 2, "l": 2.0, "confidential": ["ill"]}),
    ("generalise", {"columns": ["animal"], "k": 3, "ontology": ANIMALS}),
    ("generalise_locally", {**TWO, "k": 2}),
    ("generalise_locally", {**TWO, "k": 2, "t": 0.4, "confidential": ["ill"]}),
    ("impute", {"columns": ["income"], "predictors": ["age"]}),
    ("impute", {"columns": ["town", "school"], "predictors": ["age"], "weighted": True}),
    ("k_resample", {"columns": ["income"], "k": 3}),
    ("k_resample", {"columns": ["income", "age"], "k": 3, "together": False}),
    ("massc", {"columns": ["town", "school"], "substitution": [0.5], "subsampling": [0.7]}),
    ("microaggregate", {"columns": NUMBERS, "k": 3}),
    ("microaggregate", {"columns": NUMBERS, "k": 3, "weighted": True, "variant": "zscore"}),
    ("microaggregate", {"columns": NUMBERS, "k": 3, "variant": "component"}),
    ("microaggregate", {"columns": NUMBERS, "k": 3, "variant": "adaptive"}),
    ("microaggregate", {"columns": ["income", "school"], "k": 3, "variant": "individual"}),
    ("microaggregate", {"columns": ["income", "town"], "k": 4, "standardise": False}),
    ("mondrian", {**TWO, "k": 3}),
    ("mondrian", {**TWO, "k": 2, "numbers": "mean", "l": 2.0, "confidential": ["ill"]}),
    ("pram", {"columns": ["town"], "theta": 0.5}),
    ("pram", {"columns": ["town"], "theta": 0.5, "weighted": True}),
    ("rank_swap", {"columns": ["age", "school"], "p": 20.0}),
    ("recode", {"columns": ["town"], "mapping": {"A": "AB", "B": "AB"}}),
    ("recode", {"columns": ["animal"], "rarest": 2}),
    ("recode", {"columns": ["animal", "town"], "rarer_than": 0.3, "label": "else"}),
    ("recode_numbers", {"columns": ["age"], "bins": 4}),
    ("recode_numbers", {"columns": ["age"], "bins": 4, "variant": "quantile"}),
    ("recode_numbers", {"columns": NUMBERS, "cuts": [25, 40]}),
    ("record_swap", {"columns": ["town"], "rate": 0.4}),
    ("record_swap", {"columns": ["town"], "rate": 0.4, "unit": "household"}),
    ("resample", {"columns": ["income"]}),
    ("resample", {"columns": ["income", "age"], "t": 5}),
    ("round", {"columns": ["income"], "base": 5.0}),
    ("round", {"columns": NUMBERS, "base": 5.0, "variant": "stochastic"}),
    ("round", {"columns": NUMBERS, "base": 5.0, "variant": "multivariate"}),
    ("sample", {"fraction": 0.5}),
    ("sample", {"fraction": 0.5, "variant": "stratified", "strata": ["ill"]}),
    ("sample", {"fraction": 0.5, "unit": "household"}),
    ("semantic_microaggregate", {**MEANING, "k": 3}),
    ("semantic_recode", {**MEANING, "k": 3}),
    ("semantic_resample", {**MEANING, "k": 3}),
    ("semantic_swap", {**MEANING, "p": 40.0}),
    ("suppress", {"columns": ["town", "animal"], "k": 3}),
    ("suppress", {"columns": ["town", "animal"], "k": 3, "missing": "any"}),
    ("suppress", {"columns": ["town", "animal"], "k": 2, "l": 2.0, "confidential": ["ill"]}),
    ("synthesise_copula", {"records": 9}),
    ("synthesise_trees", {"records": 9}),
]
ATTACKS: list[tuple[str, dict[str, Any]]] = [
    ("attribute_by_class", BAND),
    ("attribute_by_link", {}),
    ("attribute_by_link", {**BAND, "columns": ["income"], "tolerance": 0.2}),
    ("household_risk", BAND),
    ("individual_risk", BAND),
    ("interval_disclosure", {}),
    ("interval_disclosure", {"variant": "deviation"}),
    ("k_anonymity", BAND),
    ("k_anonymity", {**BAND, "missing": "anything"}),
    ("k_map", BAND),
    ("l_diversity", BAND),
    ("l_diversity", {**BAND, "variant": "entropy"}),
    ("l_diversity", {**BAND, "variant": "recursive"}),
    ("learned", {}),
    ("learned_from_pairs", {"share": 0.4}),
    ("link", {}),
    ("link", {"keys": NUMBERS, "distance": "mahalanobis"}),
    ("link", {"keys": NUMBERS, "distance": "euclidean", "one_to_one": True}),
    ("link", {"direction": "masked to original"}),
    ("link_household", BAND),
    ("link_matching", {}),
    ("link_probabilistic", {}),
    ("link_semantic", {"keys": ["animal"], "ontology": ANIMALS}),
    ("link_weights", {}),
    ("population_uniques", BAND),
    ("sample_uniques", BAND),
    ("suda", {}),
    ("suda", {**BAND, "depth": 1, "fraction": 0.1}),
    ("t_closeness", BAND),
]
LOSSES: list[tuple[str, dict[str, Any]]] = [
    *((name, {}) for name in ("category_distance", "certainty_penalty", "classification", "clustering")),
    *((name, {}) for name in ("conditional_entropy", "contingency", "discernibility", "eigenvalues", "il")),
    *((name, {}) for name in ("il1", "il1s", "il2", "il3", "il4", "il5", "kl_divergence", "lost", "pil")),
    *((name, {}) for name in ("pmse", "regression", "sse")),
    ("discernibility", {"columns": ["town", "animal"]}),
    ("certainty_penalty", {"columns": ["town", "age"]}),
    ("classification", {"model": "tree"}),
    ("clustering", {"columns": NUMBERS, "clusters": 3}),
    ("contingency", {"columns": ["town", "animal"], "dimension": 1}),
    ("pmse", {"columns": ["age", "town"], "interactions": False}),
    ("semantic_clustering", MEANING),
    ("semantic_sse", MEANING),
]
PLANS: list[tuple[str, dict[str, Any]]] = [
    ("rank_swap", {"columns": NUMBERS, "p": 20.0}),
    ("microaggregate", {"columns": ["income"], "k": 3, "variant": "individual"}),
    ("recode_numbers", {"columns": NUMBERS, "bins": 4}),
    ("pram", {"columns": ["town", "animal"], "theta": 0.3}),
    ("generalise", {**TWO, "k": 2}),
    ("top_code", {"columns": ["income"], "share": 0.2}),
    ("round", {"columns": ["income"], "base": 5.0}),
    ("suppress", {"columns": ["town", "animal"], "k": 2}),
    ("sample", {"fraction": 0.5}),
]
"""Steps whose manifest an intruder reads: what transparency and compatible make of them."""


def call_of(name: str, given: dict[str, Any]) -> str:
    """The call as a line of text."""
    told = {key: value for key, value in given.items() if key != "ontology"}
    return f"{name} {json.dumps(told)}" if told else name


def _extras(name: str, kind: Family) -> dict[str, Any]:
    known = {"seed": SEED, "truth": TRUTH}
    return {key: value for key, value in known.items() if key in find(kind, name).extras}


def masked(name: str, given: dict[str, Any]) -> dict[str, Any]:
    """What a mask says, its facts, and the columns it changed."""
    table = farm(FARMERS)
    done = find("mask", name).function(table, **given, **_extras(name, "mask"))
    facts = {key: value for key, value in plain(done.facts).items() if key != "ontologies"}
    fresh = done.table.frame
    columns = {
        column: values_of(fresh[column])
        for column in fresh.columns
        if column not in table.frame.columns or not fresh[column].equals(table.frame[column])
    }
    return {"says": str(done), "facts": facts, "columns": columns}


def values_of(values: pl.Series) -> list[Any]:
    """The values as JSON has them."""
    return (
        values.cast(pl.Float64).to_list() if values.dtype.is_numeric() else values.cast(pl.String).to_list()
    )


def _answer(found: Risk | Loss) -> dict[str, Any]:
    said: dict[str, Any] = {"says": str(found), **found.to_dict()}
    for name in ("meaning", "format"):
        del said[name]
    said["details"].pop("seconds", None)
    if isinstance(found, Risk) and found.records is not None:
        said["records"] = found.records.tolist()
    return said


def attacked(name: str, given: dict[str, Any]) -> dict[str, Any]:
    """What an attack finds in the masked file of the farmers."""
    method = find("attack", name)
    tables = {"original": farm(FARMERS), "masked": farm(MASKED)}
    wanted = {key: tables[key] for key in ("original", "masked") if key in method.tables}
    return _answer(method.function(*wanted.values(), **given, **_extras(name, "attack")))


def lost(name: str, given: dict[str, Any]) -> dict[str, Any]:
    """What a measure finds in the masked file of the farmers."""
    return _answer(find("loss", name).function(farm(FARMERS), farm(MASKED), **given, **_extras(name, "loss")))


def disclosed(name: str, given: dict[str, Any]) -> dict[str, Any]:
    """What the manifest of one step tells, to transparency and to compatible."""
    table: Table = farm(FARMERS)
    release = protect(table, Plan.of([(name, given)]), seed=SEED)
    told: dict[str, Any] = {}
    for attack in ("transparency", "compatible"):
        extras = {"truth": release.truth, "manifest": release.manifest}
        known = {key: value for key, value in extras.items() if key in find("attack", attack).extras}
        try:
            told[attack] = _answer(find("attack", attack).function(table, release.table, **known))
        except DiscreetError as error:
            told[attack] = type(error).__name__
    return told


OTHERS = MASKED.with_columns(
    pl.Series("income", [10.5, 14.0, 17.0, 22.0, 21.0, 29.0, 31.5, 33.0, 43.0, 50.0, 26.0, None]),
    pl.Series(
        "school", ["low", "mid", "high", "high", "mid", "mid", "low", "mid", "high", "high", "low", "low"]
    ),
    pl.Series("town", ["A", "A", "C", "B", "A", "C", "B", "A", "B", "B", "C", "A"]),
)
COALITIONS: list[tuple[str, dict[str, Any]]] = [
    ("income", {}),
    ("income", {"mean": "geometric", "weights": [1.0, 3.0]}),
    ("income", {"by": "owa", "order_weights": [0.25, 0.75]}),
    ("income", {"by": "wowa", "order_weights": [0.25, 0.75], "weights": [1.0, 3.0]}),
    ("town", {}),
    ("town", {"by": "vote"}),
    ("school", {}),
    ("school", {"by": "vote"}),
    ("school", {"by": "clusters"}),
]


def fused(name: str, given: dict[str, Any]) -> dict[str, Any]:
    """What two releases of the farmers give away together."""
    releases = [farm(MASKED), farm(OTHERS)]
    found = coalition(releases, column=name, original=farm(FARMERS), **given)
    return {"says": str(found), "values": values_of(found.values), **found.to_dict()}


STEPS = Plan.of(
    [
        ("recode_numbers", {"columns": ["age"], "bins": 4}),
        ("add_noise", {"columns": ["income"], "p": 0.2}),
        ("suppress", {"columns": ["town", "animal"], "k": 2}),
        ("pram", {"columns": ["school"], "theta": 0.3}),
    ]
)
ASKED: dict[str, Any] = {
    "attacks": ["k_anonymity", "link", "interval_disclosure", "attribute_by_link", "transparency"],
    "losses": ["il", "lost", "contingency"],
}


def assessed(**limits: Any) -> Assessment:
    """An assessment of the farmers, masked in four steps."""
    table = farm(FARMERS)
    return assess(table, protect(table, STEPS, seed=SEED), **ASKED, **limits)


def reported(name: str, given: dict[str, Any]) -> dict[str, Any]:
    """A report for one audience, its charts as data, and the assessment that it tells of."""
    found = assessed(**given)
    made = report(
        found, audience="external" if name == "external" else "internal", reference=[("other", 0.2, 9.0)]
    )
    said = made.to_dict()
    del said["made_with"]
    drawn = [charts.distribution(each) for each in made.facts.columns]
    if made.facts.exposure is not None:
        drawn += [charts.chances(each) for each in made.facts.exposure.chances]
    if made.facts.map is not None:
        drawn.append(of_map(made.facts.map))
    pictures = [each.to_dict() for each in drawn]
    for each in pictures:
        del each["$schema"]
    return {"says": str(made), "assessment": str(found), "report": said, "charts": pictures}


REPORTS: list[tuple[str, dict[str, Any]]] = [
    ("internal", {}),
    ("external", {"ceilings": {"identity": 0.9}}),
    ("internal", {"ceilings": {"identity": 0.1, "interval_disclosure": 0.99}, "floors": {"k_anonymity": 2}}),
    ("external", {"ceilings": {"identity": 0.1}, "floors": {"k_anonymity": 9}}),
]
FILES: dict[str, pl.DataFrame] = {
    "farmers": FARMERS.with_columns(name=pl.Series([f"Farmer {place}" for place in range(12)])),
    "twelve kinds of column": pl.DataFrame(
        {
            "id": [f"P{place:03}" for place in range(12)],
            "email": [f"p{place}@example.org" for place in range(12)],
            "birth_date": pl.Series([date(1950 + 3 * place, 1 + place, 28) for place in range(12)]),
            "postcode": [f"0{place % 4}00{place % 3}" for place in range(12)],
            "country": ["ES"] * 12,
            "satisfaction": ["low", "high", "medium"] * 4,
            "rating": [1, 2, 3, 4, 5, 5] * 2,
            "salary": [1000.5 * place for place in range(12)],
            "diagnosis": ["flu", "asthma", "none", "flu"] * 3,
            "weight": [1.5, 2.5] * 6,
            "notes": [f"A long remark, number {place}, that nobody else wrote." for place in range(12)],
            "empty": pl.Series([None] * 12, dtype=pl.String),
        }
    ),
    "one record": pl.DataFrame({"age": [31], "town": ["Reus"]}),
}


def inspected(name: str, given: dict[str, Any]) -> dict[str, Any]:
    """What inspection proposes for a frame."""
    found = inspect(FILES[name], **given)
    return {"says": str(found), **json.loads(json.dumps(found.to_dict())), "toml": found.to_toml()}


def everything() -> dict[str, dict[str, Any]]:
    """The answers of all calls."""
    return {
        "mask": {call_of(*call): masked(*call) for call in MASKS},
        "attack": {call_of(*call): attacked(*call) for call in ATTACKS},
        "loss": {call_of(*call): lost(*call) for call in LOSSES},
        "manifest": {call_of(*call): disclosed(*call) for call in PLANS},
        "coalition": {call_of(*call): fused(*call) for call in COALITIONS},
        "report": {call_of(*call): reported(*call) for call in REPORTS},
        "inspection": {call_of(name, {}): inspected(name, {}) for name in FILES},
    }


def expected() -> dict[str, dict[str, Any]]:
    """The answers as they were when they were last looked at."""
    return {
        place.stem: json.loads(place.read_text(encoding="utf-8")) for place in sorted(FOLDER.glob("*.json"))
    }


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for kind, answers in everything().items():
        text = json.dumps(answers, indent=1, ensure_ascii=False) + "\n"
        (FOLDER / f"{kind}.json").write_text(text, encoding="utf-8")
    sys.stdout.write(f"{FOLDER}\n")
