"""What is found in court documents whose entities people marked, before and after anything is learned from them.

    python experiments/court_documents.py FOLDER [--every N] [--only rules|spacy|learned]

FOLDER holds court.jsonl.gz. Scores are those of discreet.text.entities.scores: entities all of whose mentions are
covered (direct and quasi-identifiers), words covered, and the share of covered words that had to be. Each document has
a register of its own. Printed for everything that spaCy's small model finds, for the rules alone, for all recognisers
together, and each of these with the register; then, in five parts of which each is scored by what was learned from the
other four, for the rules joined with the learned model at several thresholds, and with the register. Last what may be
promised of direct identifiers. `--every` takes every Nth document, `--only` one of the three blocks.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from discreet.text.document import Corpus
from discreet.text.entities.annotations import AnnotatedDocument, read_annotations
from discreet.text.entities.learning.model import Chances
from discreet.text.entities.learning.threshold import Threshold, choose_threshold, cross_fitted
from discreet.text.entities.recogniser import recognisers
from discreet.text.entities.recognisers.named_entities import model
from discreet.text.entities.recognition import recognise, resolved
from discreet.text.entities.register import Register
from discreet.text.entities.scores import DetectionScores, detection_scores
from discreet.text.span import Span

RULES = [each.name for each in recognisers() if each.name != "named_entities"]
THRESHOLDS = (0.05, 0.1, 0.2, 0.4)
BLOCKS = ("rules", "spacy", "learned")
Documents = Sequence[AnnotatedDocument]
Found = Sequence[Sequence[Span]]
Row = tuple[str, Found]


def everything(text: str) -> list[Span]:
    """All entities of the model, whatever they are."""
    return [Span(each.start_char, each.end_char, each.label_, "spaCy") for each in model()(text).ents]


def by_rules(documents: Documents) -> list[tuple[Span, ...]]:
    """What the rules find in each document."""
    return [recognise(each.text, recognisers=RULES) for each in documents]


def registered(text: str, spans: Sequence[Span]) -> list[Span]:
    """The spans and every further mention of what they name, by a register of this text alone."""
    return [each.span for each in Register.of(Corpus.of([text]), [spans]).mentions(0)]


def all_registered(documents: Documents, found: Found) -> list[list[Span]]:
    return [registered(each.text, spans) for each, spans in zip(documents, found, strict=True)]


def joined(text: str, rules: Sequence[Span], learned: Iterable[Span]) -> list[Span]:
    """All that would be hidden: what rules find and what a learned model proposes, and what the register adds."""
    return registered(text, resolved(text, [*rules, *learned]))


def without_learning(documents: Documents, rules: Found) -> Iterator[Row]:
    yield "rules alone", rules
    yield "rules and register", all_registered(documents, rules)


def with_spacy(documents: Documents) -> Iterator[Row]:
    yield "spaCy alone", [everything(each.text) for each in documents]
    both = [recognise(each.text) for each in documents]
    yield "spaCy and rules", both
    yield "spaCy, rules and register", all_registered(documents, both)


def with_learning(documents: Documents, rules: Found, chances: Sequence[Chances]) -> Iterator[Row]:
    for threshold in THRESHOLDS:
        proposed = [
            each.spans(document.text, threshold) for each, document in zip(chances, documents, strict=True)
        ]
        found = [
            joined(document.text, spans, more)
            for document, spans, more in zip(documents, rules, proposed, strict=True)
        ]
        yield f"rules, learned from {threshold:g}, register", found


def promise(documents: Documents, rules: Found, chances: Sequence[Chances]) -> Threshold:
    """What can be said of missing at most 2 % of direct identifiers."""

    def hidden(place: int, proposed: Sequence[Span]) -> Sequence[Span]:
        return joined(documents[place].text, rules[place], proposed)

    return choose_threshold(documents, chances, hidden, missed_at_most=0.02)


def line(name: str, scores: DetectionScores) -> str:
    return (
        f"{name:<38}{scores.direct.share:>8.3f}{scores.quasi.share:>8.3f}"
        f"{scores.tokens.share:>8.3f}{scores.precision.share:>11.3f}"
    )


def printed(documents: Documents, rows: Iterable[Row]) -> None:
    """Prints each row, and of the last one every second document and the kinds."""
    found: Found = ()
    for name, found in rows:
        print(line(name, detection_scores(documents, found)), flush=True)
    for name, start in (("  documents 1, 3, 5 …", 0), ("  documents 2, 4, 6 …", 1)):
        print(line(name, detection_scores(documents[start::2], found[start::2])))
    for kind, each in detection_scores(documents, found).kinds.items():
        print(f"  {kind:<20}{each}")


def main() -> None:
    """Print the scores of each way to find entities."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--only", choices=BLOCKS)
    asked = parser.parse_args()
    documents: Documents = read_annotations(asked.folder / "court.jsonl.gz")[:: asked.every]
    blocks = BLOCKS if asked.only is None else (asked.only,)
    rules = by_rules(documents)
    print(f"{len(documents)} documents\n{'':<38}{'direct':>8}{'quasi':>8}{'words':>8}{'precision':>11}")
    if "rules" in blocks:
        printed(documents, without_learning(documents, rules))
    if "spacy" in blocks:
        printed(documents, with_spacy(documents))
    if "learned" in blocks:
        chances = cross_fitted(documents, rules)
        printed(documents, with_learning(documents, rules, chances))
        print(promise(documents, rules, chances))


if __name__ == "__main__":
    main()
