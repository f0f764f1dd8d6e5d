"""Recognisers around other libraries: GLiNER and Presidio, where they are installed and somebody asks for them.

They are recognisers like all others: a function from a text to spans with declared facts. A model is read from where it
lies; nothing is fetched from a network. Nobody gets them without asking, because what they find is that of the model
that is given to them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from discreet.errors import BadFile, BadParameter, NotInstalled
from discreet.text.entities.kinds import Kind
from discreet.text.entities.pieces import pieces_of
from discreet.text.entities.recogniser import Find, Recogniser
from discreet.text.span import Span

USUAL_THRESHOLD = 0.5
GLINER_PIECE, PRESIDIO_PIECE = 1_200, 50_000
"""Characters that each is given at once: GLiNER's models pass over what stands behind their first few hundred words."""

GLINER_LABELS: Mapping[str, Kind] = {
    "person": Kind.PERSON,
    "organization": Kind.ORGANISATION,
    "location": Kind.PLACE,
    "address": Kind.ADDRESS,
    "email": Kind.EMAIL,
    "phone number": Kind.PHONE,
    "bank account number": Kind.ACCOUNT,
    "credit card number": Kind.CARD,
    "identity document number": Kind.IDENTITY,
    "date": Kind.DATE,
    "nationality": Kind.DEMOGRAPHIC,
    "medical condition": Kind.DEMOGRAPHIC,
}
PRESIDIO_LABELS: Mapping[str, Kind] = {
    "PERSON": Kind.PERSON,
    "ORGANIZATION": Kind.ORGANISATION,
    "LOCATION": Kind.PLACE,
    "NRP": Kind.DEMOGRAPHIC,
    "EMAIL_ADDRESS": Kind.EMAIL,
    "PHONE_NUMBER": Kind.PHONE,
    "IBAN_CODE": Kind.ACCOUNT,
    "US_BANK_NUMBER": Kind.ACCOUNT,
    "CREDIT_CARD": Kind.CARD,
    "US_SSN": Kind.IDENTITY,
    "US_PASSPORT": Kind.IDENTITY,
    "US_DRIVER_LICENSE": Kind.IDENTITY,
    "UK_NHS": Kind.IDENTITY,
    "MEDICAL_LICENSE": Kind.CODE,
    "IP_ADDRESS": Kind.CODE,
    "CRYPTO": Kind.ACCOUNT,
    "DATE_TIME": Kind.DATE,
    "URL": Kind.LINK,
}


def gliner(
    model: str | Path,
    *,
    labels: Mapping[str, Kind] = GLINER_LABELS,
    threshold: float = USUAL_THRESHOLD,
    name: str = "gliner",
) -> Recogniser:
    """A recogniser that asks a GLiNER model, from the folder where it lies, for what `labels` name.

    Raises NotInstalled where gliner is not installed, BadFile where there is no such folder.
    """
    _check(labels, threshold)

    @lru_cache(maxsize=1)
    def loaded() -> Any:
        return import_module("gliner").GLiNER.from_pretrained(str(model), local_files_only=True)

    def find(text: str) -> Iterator[Span]:
        for low, high in pieces_of(text, GLINER_PIECE):
            found = loaded().predict_entities(text[low:high], list(labels), threshold=threshold)
            for each in found:
                if each["label"] in labels:
                    kind = labels[each["label"]]
                    sure = float(each["score"])
                    yield Span(low + each["start"], low + each["end"], str(kind), name, WHY, sure)

    made = _recogniser(name, "gliner", labels, "What a GLiNER model finds for its labels.", find)
    if not Path(model).is_dir():
        raise BadFile(f"{name}: there is no folder {model} with a GLiNER model; nothing is fetched.")
    return made


def presidio(
    model: str,
    *,
    labels: Mapping[str, Kind] = PRESIDIO_LABELS,
    threshold: float = USUAL_THRESHOLD,
    language: str = "en",
    name: str = "presidio",
) -> Recogniser:
    """A recogniser that asks Presidio's analyzer, over an installed spaCy model or the folder of one.

    Raises NotInstalled where presidio-analyzer or the model is not installed: Presidio would fetch a missing model.
    """
    _check(labels, threshold)

    @lru_cache(maxsize=1)
    def analyzer() -> Any:
        engines = import_module("presidio_analyzer.nlp_engine")
        settings = {"nlp_engine_name": "spacy", "models": [{"lang_code": language, "model_name": model}]}
        engine = engines.NlpEngineProvider(nlp_configuration=settings).create_engine()
        return import_module("presidio_analyzer").AnalyzerEngine(
            nlp_engine=engine, supported_languages=[language]
        )

    def find(text: str) -> Iterator[Span]:
        for low, high in pieces_of(text, PRESIDIO_PIECE):
            found = analyzer().analyze(
                text=text[low:high], language=language, entities=list(labels), score_threshold=threshold
            )
            for each in found:
                if each.entity_type in labels:
                    kind = labels[each.entity_type]
                    yield Span(low + each.start, low + each.end, str(kind), name, WHY, float(each.score))

    made = _recogniser(
        name, "presidio_analyzer", labels, "What Presidio's analyzer finds.", find, language=language
    )
    if not Path(model).is_dir() and find_spec(model) is None:
        raise NotInstalled(
            f"{name}: the spaCy model {model} is not installed, and there is no such folder; nothing is fetched."
        )
    return made


WHY = "found by the model"
LIBRARIES: Mapping[str, Callable[..., Recogniser]] = {"gliner": gliner, "presidio": presidio}
"""The libraries that a policy can name under [models.NAME]."""


def _recogniser(
    name: str, module: str, labels: Mapping[str, Kind], meaning: str, find: Find, *, language: str = "any"
) -> Recogniser:
    """The recogniser with its facts. Raises NotInstalled where its library is not there."""
    made = Recogniser(
        name=name,
        kinds=tuple(dict.fromkeys(labels.values())),
        meaning=meaning,
        example="",
        languages=(language,),
        needs=((module,),),
        find=find,
    )
    if made.missing:
        raise NotInstalled(made.not_looked_for)
    return made


def _check(labels: Mapping[str, Kind], threshold: float) -> None:
    if not labels:
        raise BadParameter("a model needs at least one label to look for.")
    if not 0 <= threshold <= 1:
        raise BadParameter(f"threshold must be from 0 to 1; got {threshold:g}.")
