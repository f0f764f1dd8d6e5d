"""What is found in court documents whose entities people marked, before anything is learned from them.

    python experiments/court_documents.py FOLDER [--quick]

FOLDER holds court.jsonl.gz. Scores are those of discreet.text.entities.scores: entities all of whose mentions are
covered (direct and quasi-identifiers), words covered, and the share of covered words that had to be. Printed for
everything that spaCy's small model finds, for the rules alone, for all recognisers together, and with every name that
was found once covered wherever it stands in its document; the last also for the two halves of the documents, every
second one, and by kind. `--quick` takes every eighth document.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from pathlib import Path

from discreet.text.entities.annotations import AnnotatedDocument, read_annotations
from discreet.text.entities.kinds import Kind
from discreet.text.entities.recogniser import recognisers
from discreet.text.entities.recognisers.named_entities import model
from discreet.text.entities.recognition import recognise, resolved
from discreet.text.entities.scores import DetectionScores, detection_scores
from discreet.text.span import Span

RULES = [each.name for each in recognisers() if each.name != "named_entities"]
SPREAD = {Kind.PERSON, Kind.ORGANISATION, Kind.PLACE, Kind.OTHER, Kind.CODE}
SURNAME = re.compile(r"[^\W\d_][\w’'‑-]{2,}$")
Found = Sequence[Sequence[Span]]


def everything(text: str) -> list[Span]:
    """All entities of the model, whatever they are."""
    return [Span(each.start_char, each.end_char, each.label_, "spaCy") for each in model()(text).ents]


def spread(text: str, spans: Sequence[Span]) -> Sequence[Span]:
    """The spans, and every other place where a name among them, or the last word of a person's, stands."""
    forms = {text[each.start : each.end]: each.kind for each in spans if each.kind in SPREAD}
    for wording, kind in list(forms.items()):
        surname = SURNAME.search(wording) if kind == Kind.PERSON else None
        if surname and surname.group()[0].isupper():
            forms.setdefault(surname.group(), kind)
    if not forms:
        return spans
    either = "|".join(re.escape(each) for each in sorted(forms, key=len, reverse=True))
    more = re.finditer(rf"(?<!\w)(?:{either})(?!\w)", text)
    return resolved(text, [*spans, *(Span(*each.span(), forms[each.group()], "spread") for each in more)])


def line(name: str, scores: DetectionScores) -> str:
    return (
        f"{name:<34}{scores.direct.share:>8.3f}{scores.quasi.share:>8.3f}"
        f"{scores.tokens.share:>8.3f}{scores.precision.share:>11.3f}"
    )


def main() -> None:
    """Print the scores of each way to find entities."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--quick", action="store_true")
    asked = parser.parse_args()
    documents: Sequence[AnnotatedDocument] = read_annotations(asked.folder / "court.jsonl.gz")
    documents = documents[::8] if asked.quick else documents
    both = [recognise(each.text) for each in documents]
    ways: dict[str, Found] = {
        "spaCy alone": [everything(each.text) for each in documents],
        "rules alone": [recognise(each.text, recognisers=RULES) for each in documents],
        "spaCy and rules": both,
        "spaCy, rules and propagation": [
            spread(each.text, spans) for each, spans in zip(documents, both, strict=True)
        ],
    }
    print(f"{len(documents)} documents\n{'':<34}{'direct':>8}{'quasi':>8}{'words':>8}{'precision':>11}")
    for name, found in ways.items():
        print(line(name, detection_scores(documents, found)))
    last = ways["spaCy, rules and propagation"]
    for name, start in (("  documents 1, 3, 5 …", 0), ("  documents 2, 4, 6 …", 1)):
        print(line(name, detection_scores(documents[start::2], last[start::2])))
    for kind, each in detection_scores(documents, last).kinds.items():
        print(f"  {kind:<20}{each}")


if __name__ == "__main__":
    main()
