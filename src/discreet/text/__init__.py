"""Documents and corpora: read them, find what names people, sanitise, review, and measure what is left."""

from typing import TYPE_CHECKING, Any

from discreet.text.document import Corpus, Document, Part, PartKind
from discreet.text.entities.kinds import Kind
from discreet.text.entities.own import pattern, word_list
from discreet.text.entities.recogniser import recogniser, recognisers
from discreet.text.entities.recognition import AllowList, not_looked_for, recognise
from discreet.text.reading import read
from discreet.text.scanning.leaks import Leak, leaks
from discreet.text.span import Span
from discreet.text.writing import Written, write_documents

if TYPE_CHECKING:
    from discreet.text.assessment import TextAssessment as TextAssessment
    from discreet.text.vectors.assess import assess_vectors as assess_vectors
    from discreet.text.vectors.collection import read_collection as read_collection
    from discreet.text.vectors.matrix import DocumentTermMatrix as DocumentTermMatrix
    from discreet.text.vectors.release import save_vectors as save_vectors
    from discreet.text.vectors.semantic_microaggregate import (
        semantic_microaggregate as semantic_microaggregate,
    )
    from discreet.text.vectors.spherical_microaggregate import microaggregate as microaggregate
    from discreet.text.vectors.vectorise import vectorise as vectorise

_LATER = {
    "DocumentTermMatrix": "discreet.text.vectors.matrix",
    "TextAssessment": "discreet.text.assessment",
    "assess_vectors": "discreet.text.vectors.assess",
    "microaggregate": "discreet.text.vectors.spherical_microaggregate",
    "read_collection": "discreet.text.vectors.collection",
    "save_vectors": "discreet.text.vectors.release",
    "semantic_microaggregate": "discreet.text.vectors.semantic_microaggregate",
    "vectorise": "discreet.text.vectors.vectorise",
}
"""Names that are loaded when first used, with the module of each: vectors need more than documents do."""

__all__ = [
    "AllowList",
    "Corpus",
    "Document",
    "DocumentTermMatrix",
    "Kind",
    "Leak",
    "Part",
    "PartKind",
    "Span",
    "TextAssessment",
    "Written",
    "assess_vectors",
    "leaks",
    "microaggregate",
    "not_looked_for",
    "pattern",
    "read",
    "read_collection",
    "recognise",
    "recogniser",
    "recognisers",
    "save_vectors",
    "semantic_microaggregate",
    "vectorise",
    "word_list",
    "write_documents",
]


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module 'discreet.text' has no attribute '{name}'")
    import importlib

    return getattr(importlib.import_module(_LATER[name]), name)
