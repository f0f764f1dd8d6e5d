"""The assessment of sanitised documents: who can still be found in them, what is left of topics, what use is lost."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from discreet.errors import DoesNotApply, Mismatch, NotComputable
from discreet.headline import Before
from discreet.progress import SILENT, Progress
from discreet.release import NOTHING_VOUCHES
from discreet.results import Loss, Risk, wilson
from discreet.text.assessment import TextAssessment, TextStep, TextSubject, assess_text
from discreet.text.attacks import link_facts, search_facts
from discreet.text.attacks.known_facts import Facts, known_facts, normalised
from discreet.text.attacks.known_people import KnownPerson, people_left
from discreet.text.attacks.visible_facts import visible_facts
from discreet.text.document import Corpus
from discreet.text.document_release import load_documents
from discreet.text.entities.annotations import AnnotatedDocument, Identifies
from discreet.text.entities.recognition import not_looked_for, recognise
from discreet.text.method import TextMethod, declared
from discreet.text.retrieval.comparison import INFORMATION, TOPICS, RetrievalComparison, compare_retrieval
from discreet.text.retrieval.queries import Query
from discreet.text.span import Span
from discreet.text.unlooked import not_reviewed, unlooked_people, unlooked_topics, words_left
from discreet.text.words import words
from discreet.verification import NOT_CHECKED, WHEN_SAVED, Finding

MISSED, LOST = "missed", "lost"
MISSED_MEANING = (
    "the share of annotated direct identifiers that can still be read somewhere in their document"
)
LOST_MEANING = "the share of the words of the documents that were replaced or cut"
NOT_TESTED = (
    "What somebody who has the original of a document recognises in its sanitised form was not tested: whoever has "
    "the original finds it by its words.",
    "Style, handwriting, layout and what pictures show were not tested.",
)
NO_GOLD = "no annotated documents were given, so that nobody knows what the recognisers missed"
NO_QUERIES = "no queries of this kind were given"


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentPair:
    """Documents before and after, what an intruder knows of each, and what readers and intruders look for.

    `people` are those who are searched for. `unlooked_people` and `unlooked_topics` say what nobody looked at, so that
    no limit is met by what attacks on the rest find.
    """

    original: Corpus = field(repr=False)
    sanitised: Corpus = field(repr=False)
    known: tuple[Facts, ...] = field(repr=False)
    people: tuple[KnownPerson, ...] = field(repr=False)
    unlooked_people: str = ""
    unlooked_topics: str = ""
    queries: tuple[Query, ...] = ()
    gold: tuple[AnnotatedDocument, ...] = field(default=(), repr=False)

    def compared(self) -> RetrievalComparison:
        """What the queries find before and after."""
        return compare_retrieval(self.original, self.sanitised, self.queries)


def missed(pair: DocumentPair) -> Risk:
    """The share of annotated direct identifiers of which a wording can still be read in the sanitised document."""
    if not pair.gold:
        raise NotComputable(NO_GOLD)
    places = {each.name: place for place, each in enumerate(pair.original)}
    unknown = sum(each.name not in places for each in pair.gold)
    if unknown:
        raise Mismatch(f"{unknown} of {len(pair.gold)} annotated documents are not among the original ones.")
    found = left = 0
    for annotated in pair.gold:
        entities: dict[tuple[str, str], set[str]] = defaultdict(set)
        for each in annotated.annotations:
            if each.identifies is Identifies.DIRECT:
                entities[each.annotator, each.entity].add(normalised(annotated.text[each.start : each.end]))
        wordings = frozenset().union(*entities.values())
        document = pair.sanitised.documents[places[annotated.name]]
        shown = visible_facts(Corpus(documents=(document,)), [wordings])[0]
        found += len(entities)
        left += sum(bool(each & shown) for each in entities.values())
    if not found:
        raise NotComputable("no direct identifier is annotated.")
    details = {"annotated_documents": len(pair.gold), "still_readable": left}
    whole = len({each.name for each in pair.gold}) == len(places)
    return Risk(
        name=MISSED,
        risk=left / found,
        meaning=MISSED_MEANING,
        interval=(left / found, left / found) if whole else wilson(left, found),
        baseline=1.0,
        attempts=found,
        # Annotations of some documents are a sample: a limit is then met by the upper end of the interval only.
        details=details if whole else {**details, "people_tried": found},
    )


def lost(pair: DocumentPair) -> Loss:
    """The share of words that were replaced or cut, over all documents."""
    before = after = 0
    for one, other in zip(pair.original, pair.sanitised, strict=True):
        own, kept = Counter(words(one.text)), Counter(words(other.text))
        before += own.total()
        after += (own & kept).total()
    if not before:
        raise NotComputable("the documents hold no word.")
    return Loss(
        name=LOST, loss=1 - after / before, meaning=LOST_MEANING, details={"words": before, "kept": after}
    )


def _link(pair: DocumentPair) -> Risk:
    found = link_facts.link_facts(pair.known, visible_facts(pair.sanitised, pair.known))
    return _without(found, pair.unlooked_people)


def _search(pair: DocumentPair) -> Risk:
    return _without(search_facts.search_facts(pair.sanitised, pair.people), pair.unlooked_people)


def _without(found: Risk, unlooked: str) -> Risk:
    """The result with what it left untried, so that it meets no limit where that is anything."""
    return replace(found, details={**found.details, "not_tried": unlooked}) if unlooked else found


def _topics(pair: DocumentPair) -> Risk:
    if not any(each.purpose == "risk" for each in pair.queries):
        raise DoesNotApply(NO_QUERIES)
    return _without(pair.compared().topic_risk(), pair.unlooked_topics)


def _information(pair: DocumentPair) -> Loss:
    if not any(each.purpose == "utility" for each in pair.queries):
        raise DoesNotApply(NO_QUERIES)
    found = pair.compared().information_loss()
    return Loss(
        name=found.name,
        loss=found.loss / 100,
        meaning="how much worse readers find what they look for, over the utility queries",
        left_out=found.left_out,
        details=found.details,
    )


METHODS: Mapping[str, TextMethod[DocumentPair, Any]] = declared(
    (
        TextMethod(
            name=link_facts.LINK_FACTS,
            kind="attack",
            title="Linking by the facts that are left",
            meaning=link_facts.MEANING,
            run=_link,
            headline="identity",
        ),
        TextMethod(
            name=search_facts.SEARCH_FACTS,
            kind="attack",
            title="Searching for people",
            meaning=search_facts.MEANING,
            run=_search,
            headline="identity",
        ),
        TextMethod(
            name=MISSED,
            kind="attack",
            title="Identifiers that were missed",
            meaning=MISSED_MEANING,
            run=missed,
        ),
        TextMethod(
            name=TOPICS,
            kind="attack",
            title="Sensitive topics that are left",
            meaning="how much of what an intruder finds by searching for sensitive topics can still be found",
            run=_topics,
        ),
        TextMethod(name=LOST, kind="loss", title="Lost", meaning=LOST_MEANING, run=lost),
        TextMethod(
            name=INFORMATION,
            kind="loss",
            title="Information loss by queries",
            meaning="how much worse readers find what they look for, over the utility queries",
            run=_information,
        ),
    )
)


def assess_documents(
    original: Corpus,
    folder: str | Path,
    *,
    private: str | Path | None = None,
    queries: Sequence[Query] = (),
    gold: Sequence[AnnotatedDocument] = (),
    people: Sequence[KnownPerson] = (),
    kept: Collection[str] = (),
    recognisers: Sequence[str] | None = None,
    attacks: Sequence[str] | None = None,
    losses: Sequence[str] | None = None,
    ceilings: Mapping[str, float] | None = None,
    progress: Progress = SILENT,
) -> TextAssessment:
    """The assessment of a release of documents, from its files as they are published.

    Who links documents knows of each the names, places, dates and numbers in it: whatever recognisers find, whatever
    `gold` annotations mark, and every word that is written like a name. Who searches for `people` knows what the public
    knows of them (`read_people`); where they are not given, everybody whom the originals name is searched for by what
    is left of their documents. `kept` are words that are published on purpose. `queries` say what readers and intruders
    look for. A limit is met, exceeded, or not checked: what was not looked for or not reviewed meets none.
    """
    release = load_documents(folder, private=private)
    sanitised = release.in_order_of(original)
    marked = {each.name: each for each in gold}
    spans = [
        [*recognise(each.text, recognisers=recognisers), *_annotated(marked.get(each.name))]
        for each in original
    ]
    manifest = release.release.manifest
    done = manifest.done
    pair = DocumentPair(
        original=original,
        sanitised=sanitised,
        known=known_facts(original, spans, kept=kept),
        people=tuple(people) or people_left(original, sanitised, spans, kept=kept),
        unlooked_people=unlooked_people(done, recognisers),
        unlooked_topics=unlooked_topics(done),
        queries=tuple(queries),
        gold=tuple(gold),
    )
    subject = TextSubject(
        name=original.name,
        kind="documents",
        size=f"{len(sanitised):,} documents",
        steps=_steps(done),
        checks=tuple(
            Finding(says=each, state=WHEN_SAVED if release.release.private is not None else NOT_CHECKED)
            for each in manifest.guarantees
        ),
        doubt="" if release.release.private is not None else NOTHING_VOUCHES,
        not_tested=(*NOT_TESTED, *_not_looked_at(done)),
        assumed=tuple(not_looked_for(recognisers)),
        manifest=manifest.to_dict(),
    )
    everybody = link_facts.link_facts(pair.known, visible_facts(original, pair.known))
    return assess_text(
        subject,
        pair,
        METHODS,
        before=Before(identity=everybody.risk, attribute=None, k=None),
        attacks=attacks,
        losses=losses,
        ceilings=ceilings,
        progress=progress,
    )


def _annotated(document: AnnotatedDocument | None) -> list[Span]:
    """The annotated mentions of a document as spans."""
    if document is None:
        return []
    return [
        Span(each.start, each.end, str(each.kind), "annotation")
        for each in document.annotations
        if each.identifies is not Identifies.NO_MASK
    ]


def _steps(done: Mapping[str, Any]) -> tuple[TextStep, ...]:
    """What was done, from what the public manifest tells."""
    names = TextStep(
        title="Names and numbers",
        summary="What names somebody or something was replaced by its kind and a number, the same for the same entity.",
        parameters={"policy": done["policy"]},
        facts={
            "mentions": done["mentions"],
            **{f"{kind} entities": many for kind, many in done["entities"].items()},
        },
    )
    if not done["topics"]:
        return (names,)
    topics = TextStep(
        title="Sensitive stretches",
        summary="Stretches dense with words about sensitive topics were decided about: kept, cut, generalised or "
        "shortened.",
        parameters={"topics": ", ".join(done["topics"])},
        facts={
            "stretches": done["blocks"],
            "decided by somebody": done["decisions_reviewed"],
            "decided by a threshold, not reviewed": done["decisions_not_reviewed"],
            "undecided and published as they are": done["blocks_undecided"],
        },
    )
    return names, topics


def _not_looked_at(done: Mapping[str, Any]) -> list[str]:
    """What nobody looked at, in sentences."""
    return [
        *not_reviewed(done),
        *words_left(done),
        *done["not_looked_for"],
        *(f"Not looked into: {each}." for each in done["not_looked_into"]),
    ]
