"""A sequence model of what reviewers hide: two conditional random fields, one binary and one by kind, averaged."""

from __future__ import annotations

import base64
import json
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from discreet.errors import BadFile, BadParameter, NotInstalled
from discreet.progress import SILENT, Progress
from discreet.reading.content import take
from discreet.shapes import record, table_of, text, whole
from discreet.table import FloatArray
from discreet.text.entities.annotations import AnnotatedDocument, Identifies
from discreet.text.entities.kinds import Kind
from discreet.text.entities.learning.features import Frequencies, Token, features
from discreet.text.span import Span
from discreet.writing.atomic import write_bytes

FORMAT = 1
OUTSIDE, HIDDEN = "O", "H"
LEARNED = "learned"
L1, L2, ROUNDS = 1.0, 0.1, 120
"""How strongly the weights of features are held down, and how often they are improved at most."""

_FILE = record(
    {
        "format": whole(1),
        "secret": text,
        "documents": whole(1),
        "binary": text,
        "typed": text,
        "any_case": table_of(whole(0)),
        "lower_case": table_of(whole(0)),
    }
)
SECRET = (
    "this model was learned from texts before they were sanitised, and holds words of them; keep it apart"
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SequenceModel:
    """A model learned from reviewed documents. It proposes what to hide; rules and register stay as they are.

    It holds words of the documents and is secret.
    """

    binary: bytes = field(repr=False)
    typed: bytes = field(repr=False)
    frequencies: Frequencies = field(repr=False)

    @classmethod
    def learn(
        cls,
        documents: Sequence[AnnotatedDocument],
        rules: Sequence[Sequence[Span]],
        *,
        progress: Progress = SILENT,
    ) -> SequenceModel:
        """The model of reviewed documents, with what the rules find in each of them. The same input, the same model."""
        if not documents:
            raise BadParameter("learn: give at least one reviewed document.")
        frequencies = Frequencies.of(each.text for each in documents)
        rows, typed = [], []
        for place, (document, spans) in enumerate(zip(documents, rules, strict=True)):
            progress(place, len(documents) + 2, "reading reviewed documents")
            found, seen = features(document.text, spans, frequencies.without(document.text))
            rows.append(seen)
            typed.append(_labels(document, found))
        binary = [[OUTSIDE if each == OUTSIDE else HIDDEN for each in labels] for labels in typed]
        progress(len(documents), len(documents) + 2, "learning what to hide")
        first = _trained(rows, binary)
        progress(len(documents) + 1, len(documents) + 2, "learning kinds")
        return cls(binary=first, typed=_trained(rows, typed), frequencies=frequencies)

    def chances(self, text: str, rules: Sequence[Span]) -> Chances:
        """For each token of a text the chance that a reviewer would hide it, and the likeliest kind."""
        found, rows = features(text, rules, self.frequencies)
        hidden, _ = _marginals(self.binary, rows)
        by_kind, kinds = _marginals(self.typed, rows)
        return Chances(tokens=tuple(found), chance=(hidden + by_kind) / 2, kinds=tuple(kinds))

    def spans(self, text: str, rules: Sequence[Span], threshold: float) -> tuple[Span, ...]:
        """The stretches of a text whose tokens a reviewer would hide with at least this chance."""
        return self.chances(text, rules).spans(text, threshold)

    def save(self, path: str | Path, *, force: bool = False) -> Path:
        """The file of the model, which its owner alone can read."""
        payload = {
            "format": FORMAT,
            "secret": SECRET,
            "documents": self.frequencies.documents,
            "binary": base64.b64encode(self.binary).decode("ascii"),
            "typed": base64.b64encode(self.typed).decode("ascii"),
            "any_case": dict(self.frequencies.any_case),
            "lower_case": dict(self.frequencies.lower_case),
        }
        write_bytes(path, json.dumps(payload).encode("ascii"), force=force, private=True)
        return Path(path)

    @classmethod
    def load(cls, path: str | Path) -> SequenceModel:
        """The model in a file that `save` wrote; BadFile for anything else."""
        place = Path(path)
        try:
            payload: Any = json.loads(take(place).raw)
            _FILE(payload, place.name)
            binary, typed = (base64.b64decode(payload[name], validate=True) for name in ("binary", "typed"))
        except (ValueError, RecursionError):
            raise BadFile(f"{place.name} is not a model that discreet wrote.") from None
        if payload["format"] != FORMAT or not all(each.startswith(b"lCRF") for each in (binary, typed)):
            raise BadFile(f"{place.name} is not a model that this version of discreet reads. Learn it anew.")
        frequencies = Frequencies(
            documents=payload["documents"],
            any_case=Counter(payload["any_case"]),
            lower_case=Counter(payload["lower_case"]),
        )
        return cls(binary=binary, typed=typed, frequencies=frequencies)

    def __repr__(self) -> str:
        return f"<sequence model learned from {self.frequencies.documents} documents>"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Chances:
    """What a model says of each token of one text."""

    tokens: tuple[Token, ...] = field(repr=False)
    chance: FloatArray = field(repr=False)
    kinds: tuple[str, ...] = field(repr=False)

    def spans(self, text: str, threshold: float) -> tuple[Span, ...]:
        """Neighbouring tokens of at least this chance as one span, of the kind that most of them have."""
        found: list[Span] = []
        run: list[int] = []
        for place in range(len(self.tokens) + 1):
            inside = place < len(self.tokens) and self.chance[place] >= threshold
            if inside and (not run or self._joins(text, run[-1], place)):
                run.append(place)
                continue
            if run and (span := self._span(run)) is not None:
                found.append(span)
            run = [place] if inside else []
        return tuple(found)

    def _joins(self, text: str, before: int, place: int) -> bool:
        """Whether two tokens belong to one mention: nothing but a space stands between them."""
        between = text[self.tokens[before].end : self.tokens[place].start]
        return between in ("", " ") or (between.isspace() and "\n\n" not in between)

    def _span(self, run: Sequence[int]) -> Span | None:
        """The span of a run of tokens, without marks at its ends; None where it is marks alone."""
        words = [place for place in run if self.tokens[place].text[0].isalnum()]
        if not words:
            return None
        kinds = Counter(self.kinds[place] for place in words if self.kinds[place] != OUTSIDE)
        kind = kinds.most_common(1)[0][0] if kinds else Kind.OTHER
        return Span(
            start=self.tokens[words[0]].start,
            end=self.tokens[words[-1]].end,
            kind=str(kind),
            found_by=LEARNED,
            why="reviewers hid what looks like it",
            sure=float(self.chance[words[0] : words[-1] + 1].max()),
        )


def _labels(document: AnnotatedDocument, found: Sequence[Token]) -> list[str]:
    """For each token the kind that at least half of the annotators hid it as, or that they did not."""
    annotators = max(1, len({each.annotator for each in document.annotations}))
    votes: list[Counter[str]] = [Counter() for _ in found]
    starts = np.array([each.start for each in found])
    for each in document.annotations:
        if each.identifies is Identifies.NO_MASK:
            continue
        first = int(np.searchsorted(starts, each.start, side="left"))
        while first < len(found) and found[first].start < each.end:
            votes[first][str(each.kind)] += 1
            first += 1
    return [
        most[0][0] if (most := each.most_common(1)) and 2 * each.total() >= annotators else OUTSIDE
        for each in votes
    ]


def _trained(rows: Sequence[Sequence[Sequence[str]]], labels: Sequence[Sequence[str]]) -> bytes:
    """The bytes of a conditional random field."""
    crf = _library()
    trainer = crf.Trainer(verbose=False)
    for row, label in zip(rows, labels, strict=True):
        if row:
            trainer.append(crf.ItemSequence(row), label)
    trainer.set_params({"c1": L1, "c2": L2, "max_iterations": ROUNDS, "feature.possible_transitions": True})
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "model"
        trainer.train(str(file))
        return file.read_bytes()


def _marginals(model: bytes, rows: Sequence[Sequence[str]]) -> tuple[FloatArray, list[str]]:
    """For each token the chance that it is hidden, and its likeliest label but for being outside."""
    crf = _library()
    tagger = crf.Tagger()
    tagger.open_inmemory(model)
    labels = [each for each in tagger.labels() if each != OUTSIDE]
    if not rows:
        return np.zeros(0), []
    tagger.set(crf.ItemSequence(rows))
    if OUTSIDE not in tagger.labels():
        return np.ones(len(rows)), [labels[0]] * len(rows)
    chance = np.array([1 - tagger.marginal(OUTSIDE, place) for place in range(len(rows))])
    kinds = [OUTSIDE] * len(rows)
    for place in np.flatnonzero(chance > 0.01):
        kinds[place] = max(labels, key=lambda label: tagger.marginal(label, int(place)))
    return chance, kinds


def _library() -> Any:
    try:
        import pycrfsuite
    except ImportError:
        raise NotInstalled(
            "learning from reviewed documents needs the library python-crfsuite: pip install 'discreet[text]'."
        ) from None
    return pycrfsuite
