"""No parameter is ignored: another value of it gives another answer, or an error that says why it cannot."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.conformance import farm_told
from tests.conformance.small_farm import FARMERS, MASKED, TRUTH, farm

from discreet.errors import DiscreetError
from discreet.parameters import Choice, Flag, Parameter, Real, Whole
from discreet.registry import Family, find, methods

DIVERSE: dict[str, Any] = {"k": 2, "l": 2.0, "l_variant": "recursive", "confidential": ["ill"]}
LESS: dict[str, Any] = {"k": 2, "l": 1.5, "confidential": ["ill"]}
MORE: dict[str, list[dict[str, Any]]] = {
    "generalise": [{"columns": ["age", "town"], **each} for each in (DIVERSE, LESS)],
    "generalise_locally": [{"columns": ["age", "town"], **each} for each in (DIVERSE, LESS)],
    "mondrian": [{"columns": ["age", "town"], **each} for each in (DIVERSE, LESS)],
    "suppress": [{"columns": ["town", "animal"], **each} for each in (DIVERSE, LESS)],
    "distort": [{"columns": ["income"]}, {"columns": ["school"]}],
    "k_resample": [{"columns": ["income", "age"], "k": 3}],
    "l_diversity": [{**farm_told.BAND, "variant": "recursive"}],
    "learned": [{"keys": ["age", "income"], "distance": "choquet"}],
    "learned_from_pairs": [{"keys": ["age", "income"], "distance": "choquet", "share": 0.5}],
    "link": [
        {"keys": ["age", "income"]},
        {"keys": ["age", "income"], "distance": "weighted", "weights": {"age": 2}},
    ],
    "top_code": [{"columns": ["income"], "share": 0.3, "replace": "mean"}],
    "rank_swap": [{"columns": ["age"], "p": 60.0}],
    "recode": [{"columns": ["animal"], "rarer_than": 0.2}],
}
"""Calls beside those of the farm, with which more of the parameters have a meaning."""
ALIKE = {
    ("generalise", "highest"),
    *((name, "measure") for name in ("generalise", "generalise_locally")),
    *((name, "unmapped") for name in ("generalise", "generalise_locally", "mondrian")),
    *(
        (name, parameter)
        for name in ("semantic_microaggregate", "semantic_recode", "semantic_resample", "semantic_swap")
        for parameter in ("senses", "unmapped", "distance", "variant", "numeric_weight")
    ),
    *((name, "senses") for name in ("link_semantic", "semantic_clustering", "semantic_sse")),
    *((name, "distance") for name in ("link_semantic", "semantic_clustering")),
    ("learned", "seconds"),
    ("learned_from_pairs", "seconds"),
    ("link_weights", "few"),
    ("link_weights", "rare"),
    ("microaggregate", "standardise"),
    ("pram", "weighted"),
    ("recode", "level"),
}
"""What makes no difference to twelve farmers: all words are in a small tree, no weight is rare, and no column names a
hierarchy of its own."""
ALONE = ("compatible", "transparency", "link_person")
CALLS: dict[Family, list[tuple[str, dict[str, Any]]]] = {
    "mask": farm_told.MASKS,
    "attack": farm_told.ATTACKS,
    "loss": farm_told.LOSSES,
}
UNTRIED: dict[tuple[str, str], set[str]] = {
    ("classification", "scenario"): {"original to masked"},
    ("link", "distance"): {"weighted"},
    ("pram", "variant"): {"given"},
    ("sample", "variant"): {"simple", "stratified"},
    ("semantic_microaggregate", "centroid"): {"mode"},
    ("semantic_sse", "distance"): {"petrakis", "rodriguez"},
}
"""Choices that want another parameter beside them or other data, or say the same of the farmers as the usual one."""
LONGEST_ERROR = 30
KINDS = (Choice, Flag, Whole, Real)
PARAMETERS = [
    pytest.param(kind, method.name, each, id=f"{method.name} {each.name}")
    for kind in CALLS
    for method in methods(kind)
    for each in method.parameters
    if isinstance(each.kind, KINDS) and method.name not in ALONE and (method.name, each.name) not in ALIKE
]


def answer(kind: Family, name: str, given: dict[str, Any]) -> str:
    """All that a method says of the farmers; the name of the error where it says why it cannot."""
    method = find(kind, name)
    extras = {"truth": TRUTH, "seed": 5}
    asked = {**given, **{each: extras[each] for each in extras if each in method.extras}}
    tables = [farm(FARMERS)] if kind == "mask" else [farm(FARMERS), farm(MASKED)]
    try:
        found = method.function(*(tables[-1:] if method.tables == ("masked",) else tables), **asked)
    except DiscreetError as error:
        return type(error).__name__
    if kind == "mask":
        return repr((found.table.frame.rows(), [each.to_dict() for each in found.guarantees]))
    told = found.to_dict()
    told["details"].pop("seconds", None)
    records = None if kind == "loss" or found.records is None else found.records.tolist()
    return json.dumps([told, records])


def others(parameter: Parameter, now: Any) -> list[Any]:
    """Values that the parameter may have beside the one it has."""
    kind = parameter.kind
    values: list[Any] = [True, False]
    if isinstance(kind, Choice):
        values = list(kind.among)
    elif isinstance(kind, Whole | Real):
        values = [*(kind.usual or ()), 1, 2, 3, 0.1, 0.4, 30.0]
    return [each for each in values if each != now and kind.accepts(each)]


@pytest.mark.parametrize(("kind", "name", "parameter"), PARAMETERS)
def test_another_value_gives_another_answer(kind: Family, name: str, parameter: Parameter) -> None:
    bases = [given for called, given in CALLS[kind] if called == name] + MORE.get(name, [])
    left = {
        value for given in bases for value in others(parameter, given.get(parameter.name, parameter.default))
    }
    for given in bases:
        expected = answer(kind, name, given)
        assert len(expected) > LONGEST_ERROR, f"{given}: {expected}"
        for value in sorted(left - {given.get(parameter.name, parameter.default)}, key=str):
            found = answer(kind, name, {**given, parameter.name: value})
            if len(found) > LONGEST_ERROR and found != expected:
                left.remove(value)
                if not isinstance(parameter.kind, Choice):
                    return
    # Each of several choices is one of its own; of numbers one other is enough.
    assert isinstance(parameter.kind, Choice)
    assert left == UNTRIED.get((name, parameter.name), set())
