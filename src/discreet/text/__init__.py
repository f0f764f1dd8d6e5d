"""Documents and corpora: read them, find what names people, sanitise, review, and measure what is left."""

from discreet.text.document import Corpus, Document, Part, PartKind
from discreet.text.entities.kinds import Kind
from discreet.text.entities.own import pattern, word_list
from discreet.text.entities.recogniser import recogniser, recognisers
from discreet.text.entities.recognition import AllowList, not_looked_for, recognise
from discreet.text.reading import read
from discreet.text.scanning.leaks import Leak, leaks
from discreet.text.span import Span
from discreet.text.writing import Written, write_documents

__all__ = [
    "AllowList",
    "Corpus",
    "Document",
    "Kind",
    "Leak",
    "Part",
    "PartKind",
    "Span",
    "Written",
    "leaks",
    "not_looked_for",
    "pattern",
    "read",
    "recognise",
    "recogniser",
    "recognisers",
    "word_list",
    "write_documents",
]
