"""Kinds of entities and their pseudonyms."""

from __future__ import annotations

from discreet.text.entities.kinds import Kind


def test_every_kind_has_a_pseudonym_of_its_own() -> None:
    starts = [kind.pseudonym for kind in Kind]
    assert len(set(starts)) == len(Kind)
    assert [
        Kind.PERSON.pseudonym,
        Kind.ORGANISATION.pseudonym,
        Kind.PLACE.pseudonym,
        Kind.DATE.pseudonym,
    ] == [
        "Pers",
        "Org",
        "Loc",
        "Date",
    ]
