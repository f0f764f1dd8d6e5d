"""Pseudonyms: numbers by first mention, or letters by a secret key."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.errors import BadParameter
from discreet.text.entities import pseudonyms
from discreet.text.entities.kinds import Kind
from discreet.text.entities.pseudonyms import Keyed, Numbered, Unnamed, prefix

ENTITIES = st.lists(
    st.builds(Unnamed, st.sampled_from(["person", "place", "own kind"]), st.text("ab", max_size=2)),
    max_size=12,
)
KEYED = Keyed(key=bytes(16))


def test_numbers_go_on_after_the_highest_and_leave_out_what_is_avoided() -> None:
    entities = [
        Unnamed("person", "a"),
        Unnamed("place", "b"),
        Unnamed("person", "c"),
        Unnamed("own kind", "d"),
    ]
    names = Numbered().names(entities, taken={"Pers3", "Org9", "Witness"}, avoid={"Pers5", "Loc1"})
    assert names == ["Pers4", "Loc2", "Pers6", "Ent1"]


@given(ENTITIES, st.sampled_from([Numbered(), KEYED]))
def test_no_pseudonym_is_given_twice_or_taken_already(
    entities: list[Unnamed], scheme: Numbered | Keyed
) -> None:
    names = scheme.names(entities, taken=())
    assert len(set(names)) == len(names) == len(entities)
    again = scheme.names(entities, taken=names)
    assert not set(again) & set(names)


@given(ENTITIES)
def test_keyed_pseudonyms_follow_from_name_and_key_alone(entities: list[Unnamed]) -> None:
    distinct = list(dict.fromkeys(entities))
    names = dict(zip(distinct, KEYED.names(distinct, taken=()), strict=True))
    assert dict(zip(reversed(distinct), KEYED.names(distinct[::-1], taken=()), strict=True)) == names
    for entity, name in names.items():
        assert KEYED.names([entity], taken=()) == [name]
        assert Keyed(key=bytes(15) + b"x").names([entity], taken=()) != [name]


def test_keyed_pseudonyms_that_would_be_equal_are_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pseudonyms, "SHORTEST_CODE", 1)
    entities = [Unnamed("person", str(number)) for number in range(200)]
    names = KEYED.names(entities, taken=())
    assert len(set(names)) == 200
    assert len({len(name) for name in names}) > 1


def test_bad_settings_are_refused() -> None:
    with pytest.raises(BadParameter, match="16 bytes"):
        Keyed(key=b"short")
    with pytest.raises(BadParameter, match="scope"):
        Numbered(scope="page")  # type: ignore[arg-type]


def test_every_kind_has_its_prefix_and_own_kinds_share_one() -> None:
    assert [prefix(kind) for kind in Kind] == [kind.pseudonym for kind in Kind]
    assert prefix("ship") == "Ent"
