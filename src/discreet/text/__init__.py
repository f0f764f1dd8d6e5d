"""Documents and corpora: read them, find what names people, sanitise, review, and measure what is left.

Names are loaded when they are first used: vectors need more than documents do, and neither needs the other.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from discreet.text.assessment import TextAssessment as TextAssessment
    from discreet.text.decisions import Decisions as Decisions
    from discreet.text.document import Corpus as Corpus
    from discreet.text.document import Document as Document
    from discreet.text.document import Part as Part
    from discreet.text.document import PartKind as PartKind
    from discreet.text.entities.kinds import Kind as Kind
    from discreet.text.entities.learning.model import SequenceModel as SequenceModel
    from discreet.text.entities.own import pattern as pattern
    from discreet.text.entities.own import word_list as word_list
    from discreet.text.entities.recogniser import recogniser as recogniser
    from discreet.text.entities.recogniser import recognisers as recognisers
    from discreet.text.entities.recognition import AllowList as AllowList
    from discreet.text.entities.recognition import not_looked_for as not_looked_for
    from discreet.text.entities.recognition import recognise as recognise
    from discreet.text.entities.register import Register as Register
    from discreet.text.policy import Policy as Policy
    from discreet.text.reading import read as read
    from discreet.text.sanitising import Sanitised as Sanitised
    from discreet.text.sanitising import sanitise as sanitise
    from discreet.text.scanning.leaks import Leak as Leak
    from discreet.text.scanning.leaks import leaks as leaks
    from discreet.text.span import Span as Span
    from discreet.text.vectors.assess import assess_vectors as assess_vectors
    from discreet.text.vectors.collection import read_collection as read_collection
    from discreet.text.vectors.matrix import DocumentTermMatrix as DocumentTermMatrix
    from discreet.text.vectors.release import save_vectors as save_vectors
    from discreet.text.vectors.semantic_microaggregate import (
        semantic_microaggregate as semantic_microaggregate,
    )
    from discreet.text.vectors.spherical_microaggregate import microaggregate as microaggregate
    from discreet.text.vectors.vectorise import vectorise as vectorise
    from discreet.text.writing import Written as Written
    from discreet.text.writing import write_documents as write_documents

_HOMES = {
    "AllowList": "discreet.text.entities.recognition",
    "Corpus": "discreet.text.document",
    "Decisions": "discreet.text.decisions",
    "Document": "discreet.text.document",
    "DocumentTermMatrix": "discreet.text.vectors.matrix",
    "Kind": "discreet.text.entities.kinds",
    "Leak": "discreet.text.scanning.leaks",
    "Part": "discreet.text.document",
    "PartKind": "discreet.text.document",
    "Policy": "discreet.text.policy",
    "Register": "discreet.text.entities.register",
    "Sanitised": "discreet.text.sanitising",
    "SequenceModel": "discreet.text.entities.learning.model",
    "Span": "discreet.text.span",
    "TextAssessment": "discreet.text.assessment",
    "Written": "discreet.text.writing",
    "assess_vectors": "discreet.text.vectors.assess",
    "leaks": "discreet.text.scanning.leaks",
    "microaggregate": "discreet.text.vectors.spherical_microaggregate",
    "not_looked_for": "discreet.text.entities.recognition",
    "pattern": "discreet.text.entities.own",
    "read": "discreet.text.reading",
    "read_collection": "discreet.text.vectors.collection",
    "recognise": "discreet.text.entities.recognition",
    "recogniser": "discreet.text.entities.recogniser",
    "recognisers": "discreet.text.entities.recogniser",
    "sanitise": "discreet.text.sanitising",
    "save_vectors": "discreet.text.vectors.release",
    "semantic_microaggregate": "discreet.text.vectors.semantic_microaggregate",
    "vectorise": "discreet.text.vectors.vectorise",
    "word_list": "discreet.text.entities.own",
    "write_documents": "discreet.text.writing",
}

__all__ = [
    "AllowList",
    "Corpus",
    "Decisions",
    "Document",
    "DocumentTermMatrix",
    "Kind",
    "Leak",
    "Part",
    "PartKind",
    "Policy",
    "Register",
    "Sanitised",
    "SequenceModel",
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
    "sanitise",
    "save_vectors",
    "semantic_microaggregate",
    "vectorise",
    "word_list",
    "write_documents",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'discreet.text' has no attribute '{name}'")
    return getattr(importlib.import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return __all__
