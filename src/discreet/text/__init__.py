"""Documents and corpora: read them, find what names people, sanitise, review, and measure what is left."""

from discreet.text.document import Corpus, Document, Part, PartKind
from discreet.text.reading import read
from discreet.text.scanning.leaks import Leak, leaks
from discreet.text.span import Span
from discreet.text.writing import Written, write_documents

__all__ = [
    "Corpus",
    "Document",
    "Leak",
    "Part",
    "PartKind",
    "Span",
    "Written",
    "leaks",
    "read",
    "write_documents",
]
