"""Topics: from the keywords of a policy to the terms they are widened to, and to where these stand in a text."""

from discreet.text.topics.matching import Hit, How, Matcher, find_topics
from discreet.text.topics.term import Origin, Relation, Term
from discreet.text.topics.widening import terms_of, widen

__all__ = ["Hit", "How", "Matcher", "Origin", "Relation", "Term", "find_topics", "terms_of", "widen"]
