"""What was found in documents as plain data, so that another process goes on without looking through them again.

It holds the texts and every name in them, and is as private as the documents. What was decided is no part of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import astuple
from typing import Any

from discreet.errors import BadParameter
from discreet.text.blocks import Block
from discreet.text.correcting import Findings, correct
from discreet.text.decisions import Decisions
from discreet.text.document import Corpus, Document, Part, PartKind
from discreet.text.entities.entity import Cluster
from discreet.text.entities.pseudonyms import Numbered
from discreet.text.entities.register import Register
from discreet.text.policy import Policy
from discreet.text.sanitising import Sanitised
from discreet.text.span import Span
from discreet.text.topics.matching import Hit, How
from discreet.text.topics.term import Origin, Relation, Term


def findings_to_dict(found: Sanitised) -> dict[str, Any]:
    """All that was found, before any decision; names, texts and places in them, safe for JSON.

    Raises BadParameter where names of an earlier release, or given by hand, took part: these are not kept here.
    """
    findings = found.findings
    if findings.known is not None or findings.pseudonyms is not None or findings.aliases:
        raise BadParameter("what was found is kept without the register of an earlier release (--known).")
    register = correct(findings, ()).register
    terms = {term: place for place, term in enumerate(dict.fromkeys(_terms(found.blocks)))}
    return {
        "corpus": found.original.name,
        "documents": [_document(each) for each in found.original],
        "found": [[list(span) for span in spans] for spans in found.found],
        "masked": [[list(span) for span in spans] for spans in found.findings.spans],
        "register": _register(register),
        "terms": [[term.text, [list(astuple(each)) for each in term.origins], term.weight] for term in terms],
        "blocks": [
            {**each.to_dict(), "hits": [[hit.start, hit.end, terms[hit.term], hit.how] for hit in each.hits]}
            for each in found.blocks
        ],
        "not_looked_for": list(found.not_looked_for),
    }


def findings_from_dict(told: Mapping[str, Any], policy: Policy) -> Sanitised:
    """What was found, as `findings_to_dict` told it, under the policy that it was found under; nothing is replaced."""
    documents = tuple(
        Document(
            name=each["name"],
            parts=tuple(
                Part(kind=PartKind(kind), text=text, place=place) for kind, text, place in each["parts"]
            ),
            format=each["format"],
            not_looked_into=tuple(each["not_looked_into"]),
        )
        for each in told["documents"]
    )
    corpus = Corpus(documents=documents, name=told["corpus"])
    register = _register_again(told["register"], corpus)
    terms = [_term(each) for each in told["terms"]]
    return Sanitised(
        original=corpus,
        corpus=corpus,
        policy=policy,
        found=_spans(told["found"]),
        register=register,
        blocks=tuple(_block(each, terms) for each in told["blocks"]),
        decisions=Decisions(),
        findings=Findings(corpus=corpus, spans=_spans(told["masked"]), register=register),
        not_looked_for=tuple(told["not_looked_for"]),
    )


def _document(document: Document) -> dict[str, Any]:
    return {
        "name": document.name,
        "format": document.format,
        "not_looked_into": list(document.not_looked_into),
        "parts": [[str(each.kind), each.text, each.place] for each in document.parts],
    }


def _spans(told: Iterable[Iterable[Iterable[Any]]]) -> tuple[tuple[Span, ...], ...]:
    return tuple(tuple(Span(*span) for span in spans) for spans in told)


def _register(register: Register) -> dict[str, Any]:
    """A register as it was made, before anything in it was changed by hand."""
    return {
        "clusters": [
            [each.id, str(each.kind), each.pseudonym, list(each.forms), each.by_hand]
            for each in register._clusters.values()
        ],
        "placed": [[[list(span), cluster] for span, cluster in its] for its in register._placed],
        "taken": sorted(register._taken),
    }


def _register_again(told: Mapping[str, Any], corpus: Corpus) -> Register:
    return Register(
        corpus=corpus,
        scheme=Numbered(),
        _clusters={
            number: Cluster(id=number, kind=kind, pseudonym=pseudonym, forms=tuple(forms), by_hand=by_hand)
            for number, kind, pseudonym, forms, by_hand in told["clusters"]
        },
        _placed=tuple(tuple((Span(*span), cluster) for span, cluster in its) for its in told["placed"]),
        _taken=frozenset(told["taken"]),
    )


def _terms(blocks: Iterable[Block]) -> Iterator[Term]:
    return (hit.term for each in blocks for hit in each.hits)


def _term(told: list[Any]) -> Term:
    text, origins, weight = told
    return Term(
        text=text,
        origins=tuple(
            Origin(topic=topic, keyword=keyword, relation=Relation(relation), sense=sense, depth=depth)
            for topic, keyword, relation, sense, depth in origins
        ),
        weight=weight,
    )


def _block(told: Mapping[str, Any], terms: list[Term]) -> Block:
    hits = tuple(Hit(start, end, terms[term], How(how)) for start, end, term, how in told["hits"])
    return Block(
        document=told["document"],
        start=told["start"],
        end=told["end"],
        words=told["words"],
        density=told["density"],
        hits=hits,
        reasons=tuple(told["reasons"]),
    )
