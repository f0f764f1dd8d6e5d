"""From what was found, and what somebody decided about it, to the register: decisions about entities, replayed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from discreet.errors import BadParameter
from discreet.text.document import Corpus
from discreet.text.entities.clusters import same_form
from discreet.text.entities.kinds import Kind
from discreet.text.entities.own import word_list
from discreet.text.entities.pseudonyms import Pseudonyms
from discreet.text.entities.recognition import resolved
from discreet.text.entities.register import Register
from discreet.text.entity_decisions import FIRST, Change, EntityDecision, EntityName
from discreet.text.span import Span

BY_HAND = "by hand"


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """What was found in each document of a corpus, and whatever else a register is made of.

    `register` is what it makes without any decision, where that is known already: joining names takes its time.
    """

    corpus: Corpus = field(repr=False)
    spans: tuple[tuple[Span, ...], ...] = field(repr=False)
    aliases: Mapping[str, Sequence[str]] = field(default_factory=dict, repr=False)
    known: Register | None = field(default=None, repr=False)
    pseudonyms: Pseudonyms | None = field(default=None, repr=False)
    register: Register | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Corrected:
    """A register after decisions were replayed, and those that met none of its entities, or not one alone."""

    register: Register
    not_applied: tuple[EntityDecision, ...] = field(default=(), repr=False)


def correct(findings: Findings, decisions: Iterable[EntityDecision]) -> Corrected:
    """The register of what was found, with these decisions carried out in their order.

    What was added by hand and further names come first, because they say what the register is made of: an addition is
    masked wherever it stands, a single word as it is written, several in whatever capitals. Raises BadParameter where a
    decision contradicts one before it.
    """
    made = tuple(decisions)
    register = _made(findings, [each for each in made if each.change in FIRST])
    not_applied = []
    for each in made:
        if each.change not in FIRST:
            after = applied(register, each)
            if after is None:
                not_applied.append(each)
            else:
                register = after
    return Corrected(register=register, not_applied=tuple(not_applied))


def applied(register: Register, decision: EntityDecision) -> Register | None:
    """The register after a decision; None where it holds no such entity, or several and nothing tells which."""
    number = known_again(register, decision.entity)
    if number is None:
        return None
    if decision.change is Change.MERGE and decision.other is not None:
        other = known_again(register, decision.other)
        return None if other is None else register.merged(number, other)
    if decision.change is Change.SPLIT:
        return register.split(number, forms=decision.names or None)
    if decision.change is Change.RENAME:
        return _renamed(register, number, decision.pseudonym)
    if decision.change is Change.LOCK:
        return register.locked_to(number, decision.pseudonym)
    return register.kept(number) if decision.change is Change.KEEP else register.masked(number)


def known_again(register: Register, name: EntityName) -> int | None:
    """The entity that is meant: of those that have the fullest form, the one with the most forms in common.

    Of several such, the one of the same kind, and then the one with the mention that the name tells of; None where that
    does not leave exactly one.
    """
    wanted = {same_form(each) for each in name.forms}
    fullest = same_form(name.forms[0])
    rank: dict[int, tuple[int, bool]] = {}
    for each in register.entities:
        held = {same_form(form) for form in each.variants}
        if fullest in held:
            rank[each.id] = (len(held & wanted), each.kind == name.kind)
    best = [number for number, its in rank.items() if its == max(rank.values())]
    if len(best) > 1:
        at = _at(register, name)
        best = [number for number in best if number == at]
    return best[0] if best else None


def name_of(register: Register, number: int) -> EntityName:
    """By what an entity will be known again."""
    entity = register.entity(number)
    fullest_first = sorted(entity.variants, key=lambda form: (form != entity.name, form))
    for place, document in enumerate(register.corpus):
        for each in register.mentions(place):
            if each.entity == number:
                return EntityName(
                    kind=entity.kind,
                    forms=tuple(fullest_first),
                    document=document.name,
                    start=each.span.start,
                )
    return EntityName(kind=entity.kind, forms=tuple(fullest_first))


def _at(register: Register, name: EntityName) -> int | None:
    """The entity that has a mention where a name tells of one."""
    for place, document in enumerate(register.corpus):
        if document.name == name.document:
            return next(
                (each.entity for each in register.mentions(place) if each.span.start == name.start), None
            )
    return None


def _renamed(register: Register, number: int, pseudonym: str) -> Register:
    entity = register.entity(number)
    if entity.pseudonym == pseudonym and entity.locked:
        return register
    told = {word for form in entity.variants for word in same_form(form).split() if len(word) > 1}
    if told & set(same_form(pseudonym).split()):
        raise BadParameter("rename: the pseudonym holds a word of the name that it stands for.")
    return register.renamed(number, pseudonym)


def _made(findings: Findings, first: Sequence[EntityDecision]) -> Register:
    """The register with what was added by hand and the further names."""
    if findings.register is not None and not first:
        return findings.register
    added: dict[tuple[str, bool], list[str]] = defaultdict(list)
    aliases: dict[str, list[str]] = {name: list(others) for name, others in findings.aliases.items()}
    for each in first:
        if each.change is Change.ALIAS:
            aliases.setdefault(each.entity.forms[0], []).extend(each.names)
        wordings = each.names if each.change is Change.ALIAS else each.entity.forms
        for wording in wordings:
            alone = len(wording.split()) == 1
            added[each.entity.kind, alone] += [wording, wording.upper()] if alone else [wording]
    own = [word_list(its, kind=Kind(kind), name=BY_HAND, exact=exact) for (kind, exact), its in added.items()]
    spans: Sequence[Sequence[Span]] = findings.spans
    if own:
        spans = [
            resolved(document.text, [*its, *(span for each in own for span in each.find(document.text))])
            for document, its in zip(findings.corpus, findings.spans, strict=True)
        ]
    return Register.of(
        findings.corpus,
        spans,
        aliases=aliases,
        known=findings.known,
        pseudonyms=findings.pseudonyms,
    )
