"""Sanitising: from documents and a policy to documents without names, and without what was decided to be cut."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from discreet.errors import BadParameter
from discreet.progress import SILENT, Progress, part
from discreet.results import FORMAT
from discreet.text.applying import apply_decisions, decide_by_density, undecided
from discreet.text.blocks import Block, blocks_of
from discreet.text.correcting import Findings, correct
from discreet.text.decisions import Decisions
from discreet.text.document import Corpus, Document, Replacement
from discreet.text.entities.adapters import LIBRARIES
from discreet.text.entities.kinds import Kind
from discreet.text.entities.learning.model import SequenceModel
from discreet.text.entities.own import pattern, word_list
from discreet.text.entities.pseudonyms import Pseudonyms
from discreet.text.entities.recogniser import Recogniser
from discreet.text.entities.recognition import NOTHING, AllowList, not_looked_for, recognise, resolved
from discreet.text.entities.register import Register
from discreet.text.entity_decisions import EntityDecision
from discreet.text.policy import ANY_KIND, Policy
from discreet.text.policy_sections import Treatment
from discreet.text.protected import Instead, swept
from discreet.text.span import Span
from discreet.text.topics.matching import Matcher
from discreet.text.topics.rarity import frequent_words, weigh_by_rarity
from discreet.text.topics.widening import widen
from discreet.text.unlooked import not_reviewed

YEAR = re.compile(r"(?:1[5-9]|20)\d\d")
EVERY = 20
"""After how many documents progress is told."""
STEPS = ("recognising", "joining names", "topics", "replacing")


@dataclass(frozen=True, slots=True, kw_only=True)
class Sanitised:
    """Documents before and after, with all that was found and decided on the way. It holds names, and is private.

    `found` are the spans of each document that recognisers or a learned model found, before names were joined.
    `blocks` are stretches worth a review, `decisions` what was decided about them and about entities. `findings` are
    what the register is made of, `not_applied` decisions about entities that these documents do not name.
    `not_looked_for` says which recognisers did not run, in sentences.
    """

    original: Corpus = field(repr=False)
    corpus: Corpus = field(repr=False)
    policy: Policy = field(repr=False)
    found: tuple[tuple[Span, ...], ...] = field(repr=False)
    register: Register
    blocks: tuple[Block, ...] = field(repr=False)
    decisions: Decisions
    findings: Findings = field(repr=False)
    not_applied: tuple[EntityDecision, ...] = field(default=(), repr=False)
    not_looked_for: tuple[str, ...] = ()

    def undecided(self) -> tuple[Block, ...]:
        """The blocks that nobody and no threshold has decided about: they are published as they are."""
        by_name = _by_document(self.blocks)
        return tuple(
            block
            for document in self.original
            for block in undecided(document, by_name.get(document.name, ()), self.decisions)
        )

    def with_register(self, register: Register) -> Sanitised:
        """The same with another register: after names were merged, split, renamed, locked or kept."""
        return _replaced(replace(self, register=register))

    def with_decisions(self, decisions: Decisions) -> Sanitised:
        """The same with other decisions: after a review, or an undo.

        Where those about entities are others, the register is made anew.
        """
        if decisions.about_entities() == self.decisions.about_entities():
            return _replaced(replace(self, decisions=decisions))
        done = correct(self.findings, decisions.about_entities().values())
        return _replaced(
            replace(self, decisions=decisions, register=done.register, not_applied=done.not_applied)
        )

    def counts(self) -> dict[str, Any]:
        """How many entities of each kind were replaced, and how the blocks stand; safe to publish."""
        entities = [each for each in self.register.entities if not each.kept]
        decided = self.decisions.summary()
        return {
            "documents": len(self.corpus),
            "entities": dict(Counter(each.kind for each in entities)),
            "mentions": sum(each.mentions for each in entities),
            "entities_kept": len(self.register.entities) - len(entities),
            "entity_decisions": len(self.decisions.about_entities()),
            "entity_decisions_not_applied": len(self.not_applied),
            "blocks": len(self.blocks),
            "blocks_undecided": len(self.undecided()),
            "decisions_not_reviewed": decided["not reviewed"],
            "decisions_reviewed": decided["decisions"] - decided["not reviewed"],
        }

    def not_looked_at(self) -> tuple[str, ...]:
        """What nobody looked at, in sentences: stretches that nobody decided about or reviewed, and kinds."""
        return (*not_reviewed(self.counts()), *self.not_looked_for)

    def __str__(self) -> str:
        counts = self.counts()
        kinds = ", ".join(f"{many} {kind}" for kind, many in counts["entities"].items()) or "none"
        return (
            f"{counts['documents']} documents, {counts['mentions']} mentions replaced (entities: {kinds}); "
            f"{counts['blocks']} blocks, {counts['blocks_undecided']} undecided, "
            f"{counts['decisions_not_reviewed']} decided by a threshold and not reviewed"
        )

    def to_dict(self) -> dict[str, Any]:
        return {
            "format": FORMAT,
            **self.counts(),
            "not_looked_for": list(self.not_looked_for),
            "not_looked_at": list(self.not_looked_at()),
        }


def sanitise(
    corpus: Corpus,
    *,
    policy: str | Policy | None = None,
    recognisers: Sequence[str] | None = None,
    model: SequenceModel | None = None,
    threshold: float | None = None,
    aliases: Mapping[str, Iterable[str]] | None = None,
    known: Register | None = None,
    pseudonyms: Pseudonyms | None = None,
    decisions: Decisions | None = None,
    automatic: bool = False,
    progress: Progress = SILENT,
) -> Sanitised:
    """The documents with pseudonyms for what names somebody, and with what was decided about sensitive stretches.

    A `policy`, by name or as an object, says which kinds are masked, generalised (a date to its year, others to the
    word for their kind) or kept, and which topics are sensitive; without one every kind is masked and no topic is
    looked for. A `model` learned from reviewed documents adds what it finds with at least the chance `threshold`.
    `known` is the register of an earlier release, `aliases` are further names given by hand.

    `decisions` about blocks and entities are replayed. With `automatic`, blocks that are left and as dense as the
    policy says are cut, and marked as not reviewed. Blocks that nobody decided about stay as they are, and are counted.

    Guarantees: the corpus that was given is not changed; the same input gives the same output.
    """
    if (model is None) != (threshold is None):
        raise BadParameter("sanitise: give a model and its threshold together, or neither of them.")
    rules = policy_of(policy)
    found = _found(corpus, rules, recognisers, model, threshold, part(progress, 0, 4, STEPS[0]))
    progress(1, 4, STEPS[1])
    kept = {kind for kind, treatment in rules.entities.items() if treatment is Treatment.KEEP}
    masked = [[span for span in spans if Kind(span.kind) not in kept] for spans in found]
    findings = Findings(
        corpus=corpus,
        spans=tuple(map(tuple, masked)),
        aliases={name: tuple(others) for name, others in (aliases or {}).items()},
        known=known,
        pseudonyms=pseudonyms,
    )
    findings = replace(findings, register=correct(findings, ()).register)
    made = decisions or Decisions()
    done = correct(findings, made.about_entities().values())
    blocks = find_blocks(corpus, rules, progress=part(progress, 2, 4, STEPS[2]))
    if automatic:
        made = made.added(*_by_threshold(corpus, blocks, made, rules))
    progress(3, 4, STEPS[3])
    return _replaced(
        Sanitised(
            original=corpus,
            corpus=corpus,
            policy=rules,
            found=found,
            register=done.register,
            blocks=blocks,
            decisions=made,
            findings=findings,
            not_applied=done.not_applied,
            not_looked_for=not_looked_for(recognisers),
        )
    )


def allow_list(policy: Policy) -> AllowList:
    """The texts that a policy lets stay as they are, whatever they were taken for."""
    wordings = policy.allow.get(ANY_KIND, ())
    return AllowList.of(wordings) if wordings else NOTHING


def own_recognisers(policy: Policy) -> tuple[Recogniser, ...]:
    """The recognisers of a policy's own patterns and lists, and of the models that it names.

    Raises NotInstalled or BadFile where a model, or the library that reads it, is not here.
    """
    patterns = (
        pattern(
            f"(?i:{each.pattern})" if each.ignore_case else each.pattern, kind=Kind(each.kind), name=each.name
        )
        for each in policy.patterns
    )
    lists = (
        word_list(each.words, kind=Kind(each.kind), name=each.name, exact=not each.ignore_case)
        for each in policy.lists
    )
    models = (
        LIBRARIES[each.library](each.model, threshold=each.threshold, name=each.name)
        for each in policy.models
    )
    return (*patterns, *lists, *models)


def find_entities(
    text: str,
    policy: Policy,
    *,
    recognisers: Sequence[str] | None = None,
    own: Sequence[Recogniser] = (),
    model: SequenceModel | None = None,
    threshold: float = 1.0,
) -> tuple[Span, ...]:
    """What names somebody or something in a text, by rules and, where there is one, by a learned model.

    Texts that the policy lets stay when taken for a kind are left out.
    """
    spans = recognise(text, recognisers=recognisers, own=own, allow=allow_list(policy))
    if model is not None:
        spans = resolved(text, [*spans, *model.spans(text, spans, threshold)])
    allowed = {kind: AllowList.of(words) for kind, words in policy.allow.items() if kind != ANY_KIND}
    return tuple(
        each
        for each in spans
        if each.kind not in allowed or not allowed[each.kind].keeps(text[each.start : each.end])
    )


def _found(
    corpus: Corpus,
    policy: Policy,
    names: Sequence[str] | None,
    model: SequenceModel | None,
    threshold: float | None,
    progress: Progress,
) -> tuple[tuple[Span, ...], ...]:
    own = own_recognisers(policy)
    found = []
    for place, document in enumerate(corpus):
        if place % EVERY == 0:
            progress(place, len(corpus), "documents")
        found.append(
            find_entities(
                document.text, policy, recognisers=names, own=own, model=model, threshold=threshold or 1.0
            )
        )
    return tuple(found)


def policy_of(given: str | Path | Policy | None) -> Policy:
    """The policy itself, the one of a name or file, or one that masks every kind and knows no topic."""
    if given is None:
        return Policy(name="names")
    return given if isinstance(given, Policy) else Policy.load(given)


def find_blocks(corpus: Corpus, policy: str | Policy, *, progress: Progress = SILENT) -> tuple[Block, ...]:
    """The blocks of all documents, those of the greatest density first; none where the policy has no topics."""
    policy = policy_of(policy)
    if not policy.topics:
        return ()
    terms = weigh_by_rarity(widen(policy), corpus, options=policy.matching)
    known = frequent_words(corpus, more_than=policy.matching.rare)
    matcher = Matcher(terms, options=policy.matching, known=known)
    found: list[Block] = []
    for place, document in enumerate(corpus):
        if place % EVERY == 0:
            progress(place, len(corpus), "documents")
        found += blocks_of(document, matcher.find(document.text), options=policy.blocks)
    return tuple(sorted(found, key=lambda each: (-each.density, each.document, each.start)))


def _by_threshold(
    corpus: Corpus, blocks: Sequence[Block], decisions: Decisions, policy: Policy
) -> Iterator[Any]:
    by_name = _by_document(blocks)
    for document in corpus:
        left = undecided(document, by_name.get(document.name, ()), decisions)
        yield from decide_by_density(document, left, density=policy.blocks.automatic)


def _by_document(blocks: Iterable[Block]) -> dict[str, list[Block]]:
    found: dict[str, list[Block]] = {}
    for each in blocks:
        found.setdefault(each.document, []).append(each)
    return found


def _replaced(given: Sanitised) -> Sanitised:
    """The same with the documents that its register and its decisions give."""
    by_name = _by_document(given.blocks)
    documents = []
    for place, document in enumerate(given.original):
        names = list(_names(document, place, given.register, given.policy))
        decided = apply_decisions(document, by_name.get(document.name, ()), given.decisions)
        documents.append(document.replaced(joined_replacements(document.text, decided, names)))
    corpus = replace(given.original, documents=tuple(documents))
    for place, document in swept(corpus, given.register, _instead(given.policy)).items():
        documents[place] = document
    return replace(given, corpus=replace(given.original, documents=tuple(documents)))


def _names(document: Document, place: int, register: Register, policy: Policy) -> Iterator[Replacement]:
    """What stands in the place of each mention: its pseudonym, or what is more general."""
    instead = _instead(policy)
    kinds = {each.span.start: Kind(each.span.kind) for each in register.mentions(place)}
    for each in register.replacements(place):
        text = document.text[each.start : each.end]
        yield each._replace(text=instead(kinds[each.start], text, each.text))


def _instead(policy: Policy) -> Instead:
    """What stands in the place of a text of a kind: its pseudonym, or what is more general where the policy says so."""

    def text(kind: Kind, wording: str, pseudonym: str) -> str:
        general = policy.entities[kind] is Treatment.GENERALISE
        return generalised(kind, wording) if general else pseudonym

    return text


def generalised(kind: Kind, text: str) -> str:
    """What stands in the place of an entity that is generalised: the year of a date, else the word for its kind.

    >>> generalised(Kind.DATE, "4 May 1981"), generalised(Kind.PLACE, "Reedham")
    ('1981', '[place]')
    """
    year = YEAR.search(text) if kind is Kind.DATE else None
    return f"[{kind}]" if year is None else year.group()


def joined_replacements(
    text: str, decided: Sequence[Replacement], names: Sequence[Replacement]
) -> list[Replacement]:
    """Both kinds of replacements; where names stand in a stretch that is replaced, the stretch goes first.

    What stands in the place of a stretch may repeat it in part, so that its names are replaced there too.
    """
    stretches = sorted(decided)
    instead = {text[each.start : each.end]: each.text for each in names}
    found = [each._replace(text=_without_names(each.text, instead)) for each in stretches]
    place = 0
    for each in sorted(names):
        while place < len(stretches) and stretches[place].end <= each.start:
            place += 1
        if place == len(stretches) or each.end <= stretches[place].start:
            found.append(each)
    return found


def _without_names(text: str, instead: Mapping[str, str]) -> str:
    """A text in which each wording that stands for somebody is replaced, as whole words, the longest first."""
    wordings = sorted((each for each in instead if each in text), key=len, reverse=True)
    if not wordings:
        return text
    pattern = "|".join(rf"(?<!\w){re.escape(each)}(?!\w)" for each in wordings)
    return re.sub(pattern, lambda found: instead[found.group()], text)
