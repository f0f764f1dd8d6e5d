from __future__ import annotations

import pytest
from tests.small_people import PLAN, people

from discreet.assessment import assess
from discreet.intruder import Intruder
from discreet.plan import Plan
from discreet.protection import protect
from discreet.ru_map import ORIGINAL, map_of

LIMITED = ["l_diversity", "t_closeness", "attribute_by_class", "interval_disclosure"]


@pytest.mark.parametrize("attack", [*LIMITED, "k_anonymity"])
def test_publishing_the_original_is_where_the_attack_puts_it(attack: str) -> None:
    original = people()
    found = assess(
        original, protect(original, PLAN, seed=1), attacks=[], losses=["sse"], ceilings={attack: 0.5}
    )
    unmasked = assess(original, protect(original, Plan.of([])), attacks=[attack], losses=[])
    drawn = map_of(found, ())
    assert drawn is not None
    assert drawn.attack == attack
    (corner,) = [point for point in drawn.points if point.name == ORIGINAL]
    assert corner.risk == pytest.approx(unmasked.risks[0].risk, abs=0.01)


def test_people_found_by_the_strongest_attack_are_what_the_map_shows() -> None:
    original = people()
    found = assess(original, protect(original, PLAN, seed=1), losses=["sse"], ceilings={"identity": 0.5})
    drawn = map_of(found, ())
    assert drawn is not None
    assert drawn.attack == "identity"
    assert drawn.ceilings == (("limit", 0.5),)
    (corner,) = [point for point in drawn.points if point.name == ORIGINAL]
    assert corner.risk == pytest.approx(assess(original).risk("link").risk)  # type: ignore[union-attr]


def test_an_intruder_who_knows_one_column_finds_few_in_the_original_too() -> None:
    original = people()
    who = Intruder(columns=("town",))
    found = assess(original, protect(original, PLAN, seed=1), attacks=["link"], losses=["sse"], intruder=who)
    drawn = map_of(found, ())
    assert drawn is not None
    (corner,) = [point for point in drawn.points if point.name == ORIGINAL]
    assert corner.risk == pytest.approx(original.frame["town"].n_unique() / len(original))
