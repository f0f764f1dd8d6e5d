"""Documents and corpora: read them, find what names people, sanitise, review, and measure what is left."""

from discreet.text.document import Corpus, Document, Part, PartKind
from discreet.text.entities.kinds import Kind
from discreet.text.entities.own import pattern, word_list
from discreet.text.entities.recogniser import recogniser, recognisers
from discreet.text.entities.recognition import AllowList, not_looked_for, recognise
from discreet.text.span import Span

__all__ = [
    "AllowList",
    "Corpus",
    "Document",
    "Kind",
    "Part",
    "PartKind",
    "Span",
    "not_looked_for",
    "pattern",
    "recognise",
    "recogniser",
    "recognisers",
    "word_list",
]
