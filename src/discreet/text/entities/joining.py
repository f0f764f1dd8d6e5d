"""From the spans of a corpus to its entities: what is looked for, where it stands, and whom or what it names."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from discreet.errors import BadParameter
from discreet.text.document import Corpus, Document
from discreet.text.entities.entity import Cluster
from discreet.text.entities.flat_text import fold
from discreet.text.entities.forms import Found, patterns, trimmed, words_wanted
from discreet.text.entities.kind_votes import CONFUSED, agreed_kinds
from discreet.text.entities.kinds import Kind
from discreet.text.entities.names import PersonName, person_name
from discreet.text.entities.organisations import organisation_key, short_form, unique_acronyms
from discreet.text.entities.propagation import (
    Automaton,
    Form,
    Occurrence,
    OrdinaryWords,
    speaker_labels,
    words_of,
)
from discreet.text.entities.resolution import resolve
from discreet.text.entities.values import value_key
from discreet.text.entities.variants import People
from discreet.text.entities.words.titles import BEFORE_NAMES
from discreet.text.span import Span

PROPAGATION = "propagation"
Key = tuple[str, str | int]
"""What tells entities apart: the kind, and the number of a person or the one way of writing of anything else."""

_TITLE_BEFORE = re.compile(r"([^\W\d_]+)\.?\s+$")
_LOOK_BACK = 24


class Named(NamedTuple):
    """A stretch of a document, the form it is read as, and the titles that stand before it."""

    span: Span
    form: str
    titles: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Joined:
    """The mentions of each document with the keys of what they name, and for each known cluster its key."""

    mentions: tuple[tuple[tuple[Span, Key], ...], ...] = field(repr=False)
    keys_of_known: Mapping[int, Key] = field(repr=False)
    names: Mapping[Key, str] = field(repr=False)


def check_spans(document: Document, spans: Sequence[Span]) -> list[Span]:
    """The spans in order; BadParameter where they overlap, are empty, or leave the text or a part of it."""
    ordered = sorted(spans)
    if any(later.start < earlier.end for earlier, later in pairwise(ordered)):
        raise BadParameter("register: the spans of a document must not overlap; resolve overlaps first.")
    for each in ordered:
        pieces = [*document.within_parts(each.start, each.end)] if 0 <= each.start < each.end else []
        if pieces != [(each.start, each.end)]:
            raise BadParameter("register: a span must be a stretch within one part of its document.")
    return ordered


class Joiner:
    """Joins the forms of one corpus, with what is known from before and what was given by hand."""

    def __init__(
        self,
        corpus: Corpus,
        spans: Sequence[Sequence[Span]],
        *,
        known: Sequence[Cluster] = (),
    ) -> None:
        if len(spans) != len(corpus):
            raise BadParameter(
                f"register: {len(spans)} lists of spans for {len(corpus)} documents; give one for each document."
            )
        self._documents = corpus.documents
        self._known = known
        given = [
            [_named(document, each) for each in check_spans(document, its)]
            for document, its in zip(corpus.documents, spans, strict=True)
        ]
        kinds = agreed_kinds(Counter(_found(each) for its in given for each in its))
        self._given = [[_of_kind(each, kinds) for each in its] for its in given]
        self._short = [
            _abbreviations(document, its) for document, its in zip(corpus, self._given, strict=True)
        ]
        found = self._found()
        wanted = words_wanted(found)
        ordinary = OrdinaryWords(words_of((document.text for document in corpus), wanted))
        self._automaton = Automaton(patterns(found, ordinary), ordinary)
        self._people, self._person_of_known = self._make_people()
        self._organisations = self._corpus_short_forms()
        self._fixed = {
            (each.kind, _key(each.kind, form)): each.id
            for each in known
            for form in each.forms
            if each.kind != Kind.PERSON
        }

    def joined(self) -> Joined:
        """Every mention of every document, given or propagated, with what it names."""
        mentions = tuple(tuple(self._mentions(number)) for number in range(len(self._documents)))
        known: dict[int, Key] = {
            each.id: (Kind.PERSON, self._person_of_known[each.id])
            if each.kind == Kind.PERSON
            else (each.kind, f"known {each.id}")
            for each in self._known
        }
        people: dict[Key, str] = {
            (str(Kind.PERSON), number): self._people.written(number) for number in range(len(self._people))
        }
        return Joined(mentions=mentions, keys_of_known=known, names=people)

    def _found(self) -> Counter[Found]:
        """What was found, with what is known and what the texts abbreviate."""
        found: Counter[Found] = Counter()
        for document, its, short in zip(self._documents, self._given, self._short, strict=True):
            found.update(map(_found, its))
            found.update(Found(str(Kind.ORGANISATION), document.text[low:high]) for low, high, _ in short)
        for cluster in self._known:
            found.update({Found(cluster.kind, form, titled=True): 1 for form in cluster.forms})
        return found

    def _make_people(self) -> tuple[People, dict[int, int]]:
        forms: Counter[PersonName] = Counter()
        for its in self._given:
            forms.update(_name(each) for each in its if each.span.kind == Kind.PERSON)
        clusters = [each for each in self._known if each.kind == Kind.PERSON]
        number = {each.id: place for place, each in enumerate(clusters)}
        fixed = {
            person_name(form): number[each.id] for each in clusters if each.by_hand for form in each.forms
        }
        seeds = [[person_name(form) for form in each.forms] for each in clusters]
        return People(forms, known=seeds, fixed=fixed), number

    def _corpus_short_forms(self) -> dict[str, str]:
        """For abbreviations that mean one organisation over the corpus: its key."""
        means: dict[str, set[str]] = defaultdict(set)
        for document, short in zip(self._documents, self._short, strict=True):
            for low, high, key in short:
                means[organisation_key(document.text[low:high])].add(key)
        names = {
            each.form
            for its in self._given
            for each in its
            if each.span.kind == Kind.ORGANISATION and " " in each.form
        }
        made = unique_acronyms(sorted(names))
        return made | {short: next(iter(keys)) for short, keys in means.items() if len(keys) == 1}

    def _mentions(self, number: int) -> Iterator[tuple[Span, Key]]:
        document = self._documents[number]
        everywhere, here = self._combined(number)
        persons = [each for each in everywhere if each.span.kind == Kind.PERSON]
        settled = resolve(self._people, [_name(each) for each in persons])
        present = set(settled)
        extra = [each for each in here if self._people.names_one_of(_name(each), present)]
        labels = [
            each
            for each in _labels(document, [*everywhere, *extra])
            if self._people.names_one_of(_name(each), present)
        ]
        if extra or labels:
            everywhere = sorted([*everywhere, *extra, *labels], key=lambda each: each.span.start)
            persons = [each for each in everywhere if each.span.kind == Kind.PERSON]
            settled = resolve(self._people, [_name(each) for each in persons])
        whom = iter(settled)
        local = {organisation_key(document.text[low:high]): key for low, high, key in self._short[number]}
        for each in everywhere:
            if each.span.kind == Kind.PERSON:
                yield each.span, (str(Kind.PERSON), next(whom))
            else:
                yield each.span, self._value_key(each, local)

    def _value_key(self, named: Named, local: Mapping[str, str]) -> Key:
        kind = named.span.kind
        key = _key(kind, named.form)
        fixed = self._fixed.get((kind, key))
        if fixed is None and kind == Kind.ORGANISATION:
            key = local.get(key) or self._organisations.get(key, key)
            fixed = self._fixed.get((kind, key))
        return (kind, key) if fixed is None else (kind, f"known {fixed}")

    def _combined(self, number: int) -> tuple[list[Named], list[Named]]:
        """Given and propagated stretches that do not overlap; apart from them those that count in some documents only.

        An occurrence within a given span adds nothing; one around given spans takes their place; of one that overlaps
        a given span in part, what lies outside is covered.
        """
        document, given = self._documents[number], self._given[number]
        found = list(self._automaton.occurrences(document.text))
        merged: list[Named] = []
        here: list[Named] = []
        at = 0
        for each in found:
            while at < len(given) and given[at].span.end <= each.start:
                merged.append(given[at])
                at += 1
            over = at
            while over < len(given) and given[over].span.start < each.end:
                over += 1
            touched = given[at:over]
            if not touched:
                (merged if each.form.everywhere else here).append(_propagated(document, each))
            elif each.form.everywhere:
                at = _place(document, each, touched, merged, at)
        merged += given[at:]
        return merged, here


def _place(
    document: Document, each: Occurrence, touched: Sequence[Named], merged: list[Named], at: int
) -> int:
    """Put an occurrence among the given spans that it touches; the number of given spans that are dealt with."""
    first, last = touched[0].span, touched[-1].span
    if first.start <= each.start and each.end <= first.end:
        return at
    if each.start <= first.start and last.end <= each.end:
        why = f"{each.form.relation}, around a shorter mention"
        merged.append(_propagated(document, each, why=why))
        return at + len(touched)
    low = each.start
    for given in touched:
        _cover(document, each, low, given.span.start, merged)
        if given is not touched[-1] or given.span.end <= each.end:
            merged.append(given)
            at += 1
        low = given.span.end
    _cover(document, each, low, each.end, merged)
    return at


def _cover(document: Document, each: Occurrence, low: int, high: int, merged: list[Named]) -> None:
    piece = document.text[low:high] if low < high else ""
    if any(letter.isupper() or letter.isdigit() for letter in piece):
        low += len(piece) - len(piece.lstrip())
        high -= len(piece) - len(piece.rstrip())
        merged.append(_propagated(document, Occurrence(low, high, each.form)))


def _named(document: Document, span: Span) -> Named:
    form = " ".join(document.text[span.start : span.end].split())
    titles = _titles_before(document.text, span.start) if span.kind in CONFUSED else ()
    return Named(span, form, titles)


def _found(named: Named) -> Found:
    return Found(named.span.kind, named.form, bool(named.titles))


def _of_kind(named: Named, kinds: Mapping[tuple[str, ...], str]) -> Named:
    """The stretch with the kind that all findings of its name agree on."""
    kind = kinds.get(person_name(named.form).words, "") if named.span.kind in CONFUSED else ""
    return named._replace(span=named.span._replace(kind=kind)) if kind else named


def _propagated(document: Document, each: Occurrence, *, why: str = "") -> Named:
    kind = each.form.kind
    titles = _titles_before(document.text, each.start) if kind == Kind.PERSON else ()
    span = Span(each.start, each.end, kind, PROPAGATION, why or each.form.relation)
    return Named(span, each.form.text, titles)


def _titles_before(text: str, start: int) -> tuple[str, ...]:
    found = _TITLE_BEFORE.search(text, max(0, start - _LOOK_BACK), start)
    if found is None or not found[1][0].isupper():
        return ()
    title = fold(found[1])
    return (title,) if title in BEFORE_NAMES else ()


def _name(named: Named) -> PersonName:
    name = person_name(named.form)
    return replace(name, titles=(*named.titles, *name.titles)) if named.titles else name


def _labels(document: Document, taken: Sequence[Named]) -> Iterator[Named]:
    """Letters that tell who speaks, where nothing else was found."""
    spans = sorted((each.span.start, each.span.end) for each in taken)
    for low, high in speaker_labels(document.text):
        at = bisect_left(spans, (high, 0))
        if not at or spans[at - 1][1] <= low:
            form = Form(str(Kind.PERSON), document.text[low:high], "initials before what somebody says")
            yield _propagated(document, Occurrence(low, high, form))


def _abbreviations(document: Document, given: Sequence[Named]) -> list[tuple[int, int, str]]:
    """Abbreviations in brackets after the names of organisations, each with the key of its organisation."""
    found = []
    for each in given:
        if each.span.kind == Kind.ORGANISATION:
            place = short_form(document.text, each.span.end, each.form)
            if place is not None:
                found.append((*place, organisation_key(each.form)))
    return found


@lru_cache(maxsize=200_000)
def _key(kind: str, form: str) -> str:
    return organisation_key(form) if kind == Kind.ORGANISATION else value_key(kind, trimmed(form) or form)
