"""Text columns of a table, sanitised by the recognisers and one register, with what the table itself knows of names."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from discreet.guarantees import NoMaskedNames, Wordings
from discreet.guarantees.texts import Key, key_of
from discreet.progress import SILENT, Progress
from discreet.table import IDENTIFYING, IntArray, Table
from discreet.text.applying import CUT
from discreet.text.blocks import Block
from discreet.text.document import Corpus, Document, Part, PartKind, Replacement
from discreet.text.entities.entity import Mention
from discreet.text.entities.kinds import Kind
from discreet.text.entities.pseudonyms import Numbered, Unnamed, numbers_in
from discreet.text.entities.recognition import not_looked_for, resolved
from discreet.text.entities.register import Register
from discreet.text.entities.words.people import ORDINARY, PARTICLES
from discreet.text.entities.words.titles import BEFORE_NAMES
from discreet.text.policy import Policy
from discreet.text.policy_sections import Treatment
from discreet.text.sanitising import (
    find_blocks,
    find_entities,
    generalised,
    joined_replacements,
    own_recognisers,
    policy_of,
)
from discreet.text.scanning.matching import SHORT, tells
from discreet.text.span import Span
from discreet.text.unlooked import stretches

NAMES = frozenset(Kind) - {Kind.DATE, Kind.QUANTITY, Kind.DEMOGRAPHIC, Kind.OTHER}
"""The kinds whose wordings are guaranteed to be gone: the others are replaced where they are found, and no further."""
EVERY = 200
"""After how many texts progress is told."""
TOO_SHORT = (
    "Identifiers of one letter, or of fewer than six digits without a letter, were not looked for in texts."
)
BY_TABLE = "identifiers of the table"


class _Instead(NamedTuple):
    """What stands for a wording that was masked, and of which kind that is."""

    pseudonym: str
    kind: str


UNNAMED = _Instead(f"[{Kind.PERSON}]", str(Kind.PERSON))


class SanitisedColumns(NamedTuple):
    """Columns of text with pseudonyms for what names somebody, and what is guaranteed of them."""

    values: dict[str, pl.Series]
    guarantee: NoMaskedNames


def sanitise_columns(
    table: Table,
    columns: Sequence[str],
    *,
    original: Table,
    order: IntArray,
    policy: str | Path | Policy | None = None,
    progress: Progress = SILENT,
) -> SanitisedColumns:
    """The columns of text with pseudonyms in place of names, numbers and whatever else the recognisers find.

    All columns and records share one register. Each identifier of the `original`, wherever a text repeats it, and
    the words of a record's own identifiers in its own texts, are replaced too. Pseudonyms are numbered along `order`,
    the rows of the table as they are published, so that they do not tell the order of the original.

    A `policy` adds its patterns, lists and models, and says which kinds are kept or generalised and which texts stay as
    they are; identifiers of the table are masked whatever it says. Stretches as dense with its topics as it says for
    runs that nobody reviews are cut, and counted as not reviewed.

    Guarantees: no name that was masked stands in a sanitised column as whole words; missing cells stay missing; the
    same input gives the same output.
    """
    rules = policy_of(policy)
    known, left_out = _known(_identifiers(original))
    records = _records(table, columns, order)
    recognised = _recognised(records, rules, progress)
    spans = [_spans(each, known, recognised) for each in records]
    corpus = Corpus(documents=tuple(each.document for each in records), name="text columns")
    dense = _Stretches.of(corpus, rules)
    register = Register.of(corpus, spans)
    mentions = [_in_cells(each, register.mentions(place)) for place, each in enumerate(records)]
    promised = _promised(records, mentions, known)
    pseudonyms = _pseudonyms(mentions, corpus, promised)
    instead = _instead(records, mentions, pseudonyms)
    values = {name: table.frame[name].cast(pl.String).to_list() for name in columns}
    kinds: Counter[str] = Counter()
    for each, its in zip(records, mentions, strict=True):
        kinds.update(str(mention.span.kind) for mention in its)
        names = [_replacement(each, mention, pseudonyms, rules) for mention in its]
        cut = dense.cut(each.document)
        replaced = each.document.replaced(joined_replacements(each.document.text, cut, names))
        for name, part in each.cells.items():
            values[name][each.row], also = _swept(replaced.parts[part].text, promised, instead)
            kinds.update(also)
    return SanitisedColumns(
        values={name: pl.Series(name, cells, dtype=pl.String) for name, cells in values.items()},
        guarantee=NoMaskedNames(
            columns=tuple(columns),
            masked=dict(sorted(kinds.items())),
            not_looked_for=(
                *not_looked_for(),
                *((TOO_SHORT,) if left_out else ()),
                *dense.not_reviewed(),
            ),
            policy="" if policy is None else rules.name,
            wordings=promised,
        ),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Record:
    """A record as a document: its identifiers, so that the register knows whose texts they are, then its texts."""

    row: int
    document: Document = field(repr=False)
    identifiers: tuple[Any, ...] = field(repr=False)
    cells: Mapping[str, int]
    """The part of each column that has a text."""


def _records(table: Table, columns: Sequence[str], order: IntArray) -> list[_Record]:
    """The records that have a text, in the order in which they are published."""
    texts = {name: table.frame[name].cast(pl.String).to_list() for name in columns}
    identity = [values.to_list() for values in _identifiers(table)]
    records = []
    for place, row in enumerate(np.asarray(order).tolist(), start=1):
        cells = {name: its[row] for name, its in texts.items() if its[row]}
        if not cells:
            continue
        own = tuple(its[row] for its in identity if its[row] is not None and key_of(str(its[row])))
        parts = [Part(kind=PartKind.PROPERTY, text=" ".join(str(each).split())) for each in own]
        parts += [Part(kind=PartKind.CELL, text=each) for each in cells.values()]
        numbers = {name: len(own) + number for number, name in enumerate(cells)}
        document = Document(name=f"{place}.txt", parts=tuple(parts))
        records.append(_Record(row=row, document=document, identifiers=own, cells=numbers))
    return records


def _identifiers(table: Table) -> list[pl.Series]:
    return [table.frame[each.name] for each in table.columns if each.role in IDENTIFYING]


def _known(columns: Iterable[pl.Series]) -> tuple[Wordings, bool]:
    """The identifiers of a table as they are looked for in every text, and whether some are too short for that."""
    values = {str(each) for column in columns for each in column.drop_nulls().unique().to_list()}
    # "Smith, Anna" is written "Anna Smith" in a text.
    turned = {" ".join(reversed(each.split(","))) for each in values if each.count(",") == 1}
    looked_for = {each for each in values | turned if tells(each)}
    return _wordings(looked_for), any(key_of(each) and not tells(each) for each in values)


def _wordings(given: Iterable[str]) -> Wordings:
    """Wordings looked for whatever their capitals, save those of one word that is ordinary or very short."""
    folded: list[str] = []
    exact: list[str] = []
    for each in given:
        key = key_of(each)
        as_written = len(key) == 1 and (len(key[0]) < SHORT or key[0].casefold() in ORDINARY)
        (exact if as_written else folded).append(each)
    return Wordings.of(folded, exact)


def _kind(value: Any) -> Kind:
    """What an identifier is taken for."""
    if isinstance(value, date):
        return Kind.DATE
    return Kind.CODE if any(map(str.isdigit, str(value))) else Kind.PERSON


@dataclass(frozen=True, slots=True)
class _Stretches:
    """The stretches of texts that are dense with the topics of a policy, and which of them a threshold cuts."""

    blocks: Mapping[str, list[Block]]
    density: float

    @classmethod
    def of(cls, corpus: Corpus, policy: Policy) -> _Stretches:
        found: dict[str, list[Block]] = defaultdict(list)
        places = {each.name: each for each in corpus}
        for block in find_blocks(corpus, policy):
            document = places[block.document]
            if document.parts[document.part_at(block.start)].kind is PartKind.CELL:
                found[block.document].append(block)
        return cls(found, policy.blocks.automatic)

    def cut(self, document: Document) -> list[Replacement]:
        """What stands in the place of the stretches that are cut in a document."""
        own = self.blocks.get(document.name, [])
        return [Replacement(each.start, each.end, CUT) for each in own if each.density >= self.density]

    def not_reviewed(self) -> list[str]:
        """What became of all stretches, in a sentence; none where there are none."""
        densities = [each.density for its in self.blocks.values() for each in its]
        cut = sum(each >= self.density for each in densities)
        if not densities:
            return []
        return [
            f"Nobody reviewed {stretches(len(densities))} about sensitive topics: a threshold cut {cut} of them, and "
            f"{len(densities) - cut} that are less dense were left."
        ]


def _replacement(
    record: _Record, mention: Mention, pseudonyms: Mapping[int, str], policy: Policy
) -> Replacement:
    """What stands in the place of a mention: its pseudonym or, where the policy says so, what is more general."""
    start, end, kind = mention.span.start, mention.span.end, Kind(mention.span.kind)
    if policy.entities[kind] is Treatment.GENERALISE:
        return Replacement(start, end, generalised(kind, record.document.text[start:end]))
    return Replacement(start, end, pseudonyms[mention.entity])


def _recognised(
    records: Iterable[_Record], policy: Policy, progress: Progress
) -> dict[str, tuple[Span, ...]]:
    """What recognisers and the policy find in each text, but for what it keeps; texts that recur are looked at once."""
    own = own_recognisers(policy)
    texts = dict.fromkeys(each.document.parts[part].text for each in records for part in each.cells.values())
    found = {}
    for place, text in enumerate(texts):
        if place % EVERY == 0:
            progress(place, len(texts), "names in texts")
        found[text] = tuple(
            each
            for each in find_entities(text, policy, own=own)
            if policy.entities[Kind(each.kind)] is not Treatment.KEEP
        )
    progress(1, 1, "names in texts")
    return found


def _spans(record: _Record, known: Wordings, recognised: Mapping[str, tuple[Span, ...]]) -> tuple[Span, ...]:
    """What names somebody in a record: its identifiers, and in its texts what was recognised or is known."""
    document = record.document
    given = [
        Span(*document.span_of(part), str(_kind(value)), BY_TABLE)
        for part, value in enumerate(record.identifiers)
    ]
    people = [str(value) for value in record.identifiers if _kind(value) is Kind.PERSON]
    own = _wordings(
        word
        for value in people
        for word in key_of(value)
        if len(word) > 1 and word.casefold() not in PARTICLES | BEFORE_NAMES
    )
    for part in record.cells.values():
        low, high = document.span_of(part)
        cell = document.text[low:high]
        found = [*recognised[cell], *_as_spans(cell, known), *_as_spans(cell, own)]
        given += [each._replace(start=each.start + low, end=each.end + low) for each in resolved(cell, found)]
    return tuple(given)


def _as_spans(text: str, wordings: Wordings) -> Iterator[Span]:
    for start, end, key in wordings.found_in(text):
        yield Span(start, end, str(_kind(" ".join(key))), BY_TABLE, "an identifier of the table")


def _in_cells(record: _Record, mentions: Iterable[Mention]) -> tuple[Mention, ...]:
    """The mentions in the texts of a record, without its identifiers themselves."""
    first = record.document.span_of(len(record.identifiers))[0]
    return tuple(each for each in mentions if each.span.start >= first)


def _promised(records: Sequence[_Record], mentions: Sequence[Sequence[Mention]], known: Wordings) -> Wordings:
    """All that is guaranteed to be gone: the identifiers, and what was masked as a name.

    A single word that was recognised is promised as it is written, unless it has small letters only or is one letter;
    a word of an identifier of the table whatever its capitals, unless it is an ordinary one.
    """
    folded: list[str] = []
    exact: list[str] = []
    by_table: list[str] = []
    for record, its in zip(records, mentions, strict=True):
        for each in its:
            for key in _forms(record, each) if each.span.kind in NAMES else ():
                wording = " ".join(key)
                if len(key) > 1:
                    folded.append(wording)
                elif tells(wording) and each.span.found_by == BY_TABLE:
                    by_table.append(wording)
                elif tells(wording) and not wording.islower():
                    exact.append(wording)
    also = (Wordings.of(folded, exact), _wordings(by_table))
    return Wordings(
        known.folded.union(*(each.folded for each in also)), known.exact.union(*(each.exact for each in also))
    )


def _forms(record: _Record, mention: Mention) -> Iterator[Key]:
    """The words of a mention; of a person's also those after the titles."""
    key = key_of(record.document.text[mention.span.start : mention.span.end])
    yield key
    name = key
    while len(name) > 1 and mention.span.kind == Kind.PERSON and name[0].casefold() in BEFORE_NAMES:
        name = name[1:]
    if name != key:
        yield name


def _pseudonyms(mentions: Sequence[Sequence[Mention]], corpus: Corpus, promised: Wordings) -> dict[int, str]:
    """The pseudonym of each entity that a text mentions, numbered by first mention.

    The numbers of the register count identifiers too, and would tell which record somebody's own is.
    """
    kinds: dict[int, str] = {}
    for its in mentions:
        for each in its:
            kinds.setdefault(each.entity, each.span.kind)
    single = {key[0].casefold() for key in promised.folded | promised.exact if len(key) == 1}
    avoid = numbers_in(each.text for each in corpus)
    avoid |= {
        f"{kind.pseudonym}{word.removeprefix(kind.pseudonym.casefold())}" for kind in Kind for word in single
    }
    names = Numbered().names([Unnamed(kind, "") for kind in kinds.values()], taken=(), avoid=avoid)
    return dict(zip(kinds, names, strict=True))


def _instead(
    records: Sequence[_Record], mentions: Sequence[Sequence[Mention]], pseudonyms: Mapping[int, str]
) -> dict[Key, _Instead]:
    """What stands for each wording that was masked, in whatever capitals, by its first mention."""
    found: dict[Key, _Instead] = {}
    for record, its in zip(records, mentions, strict=True):
        for each in its:
            for key in _forms(record, each):
                found.setdefault(_folded(key), _Instead(pseudonyms[each.entity], str(each.span.kind)))
    return found


def _folded(key: Key) -> Key:
    return tuple(each.casefold() for each in key)


def _swept(text: str, promised: Wordings, instead: Mapping[Key, _Instead]) -> tuple[str, list[str]]:
    """A text in which what was masked elsewhere is replaced too, where it was taken for an ordinary word here.

    Also the kinds of what was replaced.
    """
    pieces: list[str] = []
    kinds: list[str] = []
    done = 0
    for start, end, key in promised.found_in(text):
        name = instead.get(_folded(key), UNNAMED)
        pieces += [text[done:start], name.pseudonym]
        kinds.append(name.kind)
        done = end
    return "".join([*pieces, text[done:]]), kinds
