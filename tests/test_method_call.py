from __future__ import annotations

import pytest

from discreet.assessment import assess
from discreet.demo import table as census
from discreet.errors import BadParameter, UnknownMethod, UnknownParameter
from discreet.method_call import MethodCall, name_in
from discreet.plan import Plan
from discreet.protection import protect
from discreet.reporting import report


@pytest.mark.parametrize(
    ("text", "parameters"),
    [
        ("microaggregate", {}),
        ("microaggregate k=5 columns=age,income", {"k": 5, "columns": ["age", "income"]}),
        (
            "microaggregate variant=individual standardise=false",
            {"variant": "individual", "standardise": False},
        ),
        (
            'microaggregate \'groups=[["a"], ["b"]]\' group_k=[3,4]',
            {"groups": [["a"], ["b"]], "group_k": [3, 4]},
        ),
        ("recode 'label=somewhere else' rarer_than=0.1", {"label": "somewhere else", "rarer_than": 0.1}),
        ("""recode 'mapping={"a" = "b"}'""", {"mapping": {"a": "b"}}),
        ('suppress \'columns=["a, b", "c"]\'', {"columns": ["a, b", "c"]}),
    ],
)
def test_a_line_asks_for_a_method_and_its_parameters(text: str, parameters: dict[str, object]) -> None:
    found = MethodCall.parse("mask", text)
    assert dict(found.parameters) == parameters
    assert found.method.name == name_in(text)


def test_what_cannot_be_asked_for_is_named() -> None:
    with pytest.raises(UnknownMethod, match="Did you mean 'microaggregate'"):
        MethodCall.parse("mask", "microagregate k=3")
    with pytest.raises(UnknownParameter, match="no parameter 'kk'"):
        MethodCall.parse("mask", "microaggregate kk=3")
    with pytest.raises(BadParameter, match="k must be a whole number"):
        MethodCall.parse("mask", "microaggregate k=many")
    with pytest.raises(BadParameter, match="not of the form name=value"):
        MethodCall.parse("mask", "microaggregate k")
    with pytest.raises(BadParameter, match="not closed"):
        MethodCall.parse("mask", "microaggregate 'k=3")
    with pytest.raises(UnknownMethod):
        MethodCall.parse("mask", "")


def test_one_attack_can_be_asked_for_in_several_ways() -> None:
    people = census(150, seed=3)
    release = protect(people, Plan.of([("add_noise", {"p": 0.5})]), seed=1)
    plain, other = "link", "link distance=mahalanobis keys=age,hours,income,rent"
    found = assess(
        people, release, attacks=[plain, other], losses=["contingency dimension=1"], ceilings={other: 0.99}
    )
    assert [risk.name for risk in found.risks] == [plain, other]
    assert found.risks[0].risk != found.risks[1].risk
    assert found.limits[0].found == found.risks[1].risk
    assert "distance mahalanobis" in report(found).html()
