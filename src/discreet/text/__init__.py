"""Documents and corpora: read them, find what names people, sanitise, review, and measure what is left."""

from discreet.text.document import Corpus, Document, Part, PartKind
from discreet.text.span import Span

__all__ = ["Corpus", "Document", "Part", "PartKind", "Span"]
