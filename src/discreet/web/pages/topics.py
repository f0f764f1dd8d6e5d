"""Topics: what a policy takes for sensitive, the senses that were chosen, and the words these widen to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from discreet.errors import DiscreetError
from discreet.text.policy import Policy
from discreet.text.policy_sections import Topic
from discreet.text.topics.term import Relation, Term
from discreet.text.topics.widening import widen
from discreet.web.page import Facts, Page, Visit
from discreet.web.papers import Papers, chosen_or_listed, frame

MOST_TERMS = 150
"""How many words of one keyword are shown."""


def show(visit: Visit) -> Facts:
    """Each topic with its keywords, and the words that each is widened to."""
    papers = chosen_or_listed(visit)
    if not isinstance(papers, Papers):
        return papers
    policy = papers.rules
    terms, fault = _widened(policy)
    return {
        **frame(papers),
        "about": policy.about,
        "treatments": {str(kind): str(each) for kind, each in policy.entities.items()},
        "topics": [_topic(policy, each, terms) for each in policy.topics],
        "terms": len(terms),
        "fault": fault,
    }


def _widened(policy: Policy) -> tuple[Sequence[Term], str]:
    """The terms of a policy; none, and why, where they cannot be told on this machine."""
    try:
        return widen(policy), ""
    except DiscreetError as problem:
        return (), str(problem)


def _topic(policy: Policy, topic: Topic, terms: Sequence[Term]) -> dict[str, Any]:
    return {
        "name": topic.name,
        "about": topic.about,
        "depth": topic.depth,
        "weight": topic.weight,
        "every": topic.every,
        "without": list(topic.without),
        "keywords": [_keyword(policy, topic, each, terms) for each in topic.keywords],
    }


def _keyword(policy: Policy, topic: Topic, keyword: str, terms: Sequence[Term]) -> dict[str, Any]:
    found = [
        (origin.depth, term.text, str(origin.relation), origin.sense)
        for term in terms
        for origin in term.origins
        if (origin.topic, origin.keyword) == (topic.name, keyword) and origin.relation is not Relation.KEYWORD
    ]
    shown = sorted(found)[:MOST_TERMS]
    return {
        "keyword": keyword,
        "senses": list(policy.senses_of(topic, keyword)),
        "found": len(found),
        "terms": [
            {"text": text, "relation": relation, "sense": sense, "depth": depth}
            for depth, text, relation, sense in shown
        ],
    }


PAGE = Page(
    name="topics",
    title="Topics",
    of="documents",
    about="What the policy takes for sensitive: keywords, their chosen senses, and what these widen to.",
    show=show,
)
