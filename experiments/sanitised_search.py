"""What readers and intruders find in a volume of diplomatic documents before and after it is sanitised.

    python -m experiments.sanitised_search [FOLDER] [--volume NAME] [--every N]

FOLDER holds the volumes of Foreign Relations of the United States (TEI, frus*.xml.gz). The shape is that of Abril,
Navarro-Arribas and Torra (2011) and of Nettleton and Abril (2012) on diplomatic cables: names and personal information
become pseudonyms, stretches dense with the words of section 1.4 of Executive Order 13526 are cut, and a vector space
search engine is asked the same before and after: utility queries, of what readers look for, with a threshold of
relevance of 0.0422, and the risk queries rq1 to rq9 of the order, with 0.010, and 0.020 for rq1, rq2 and rq9.

Their documents were some dozens of cables, and a person chose what was cut. Here a threshold cuts: one row for each
density, beside that of masked names alone. The utility queries were written down once, from the table of contents of
each volume, before anything was measured; the last of each is of two names that are masked.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from experiments.diplomatic_people import read_volume

from discreet.text import Corpus, sanitise
from discreet.text.entities.recogniser import recognisers
from discreet.text.policy import Policy
from discreet.text.retrieval.comparison import RetrievalComparison, compare_retrieval
from discreet.text.retrieval.queries import Query
from discreet.text.sanitising import Sanitised

UTILITY_THRESHOLD = 0.0422
RISK_THRESHOLD, OF_MANY_WORDS = 0.010, 0.020
MANY_WORDS = frozenset(("rq1", "rq2", "rq9"))
NAMES = "two names"
DENSITIES = (None, 0.05, 0.03, 0.02, 0.01)
"""From which density on stretches are cut; None cuts nothing."""
PUBLISHED = (16.0, 26.0, 47.0)
"""Information lost, the same with a query of two masked names, and risk removed."""
LOOKED_FOR: Mapping[str, Mapping[str, str]] = {
    "frus1952-54Guat": {
        "labour": "labor unions strike workers",
        "land": "agrarian reform land expropriation",
        "coffee": "coffee prices exports",
        "press": "newspaper editorial radio broadcast",
        "church": "archbishop catholic church",
        "money": "loan credit bank dollars",
        "flying": "aircraft pilots flights",
        "elections": "election candidate congress vote",
        "shipping": "ship cargo port crates",
        NAMES: "Arbenz Peurifoy",
    },
    "frus1969-76v12": {
        "arms": "strategic arms limitation talks",
        "trade": "trade credits export licenses",
        "exchanges": "scientific cultural exchange students",
        "space": "space cooperation astronauts docking",
        "border": "border clashes frontier incidents",
        "emigration": "jewish emigration exit visas",
        "aviation": "hijacking aviation airline service",
        "summit": "summit meeting agenda visit",
        "fleet": "submarine base naval fleet",
        NAMES: "Dobrynin Brezhnev",
    },
}


class Searched(NamedTuple):
    """What was asked of one sanitised corpus, in percent: information lost without and with the query of two names."""

    lost: float
    lost_with_names: float
    removed: float
    words_left: float
    queries: RetrievalComparison


def queries(volume: str, policy: Policy) -> tuple[Query, ...]:
    """The utility queries of a volume and the risk queries of the policy, with the published thresholds."""
    utility = (
        Query(name=name, words=words, threshold=UTILITY_THRESHOLD)
        for name, words in LOOKED_FOR[volume].items()
    )
    risk = (
        Query(
            name=name,
            words=" ".join(words),
            purpose="risk",
            threshold=OF_MANY_WORDS if name in MANY_WORDS else RISK_THRESHOLD,
        )
        for name, words in policy.queries().items()
    )
    return (*utility, *risk)


def sanitised(corpus: Corpus, policy: Policy, density: float | None) -> Sanitised:
    """The corpus without names, and without stretches of at least this density."""
    if density is None:
        return sanitise(corpus, policy=replace(policy, topics=()), recognisers=_rules())
    blocks = replace(policy.blocks, density=min(density, policy.blocks.density), automatic=density)
    return sanitise(corpus, policy=replace(policy, blocks=blocks), recognisers=_rules(), automatic=True)


def _rules() -> list[str]:
    """All recognisers but the one that takes a large model."""
    return [each.name for each in recognisers() if not each.missing and each.name != "named_entities"]


def searched(original: Corpus, done: Corpus, asked: Sequence[Query]) -> Searched:
    """What the queries find before and after."""
    found = compare_retrieval(original, done, asked)
    changes = {
        each.query.name: -each.change.combined for each in found.changes if each.query.purpose == "utility"
    }
    others = [change for name, change in changes.items() if name != NAMES]
    return Searched(
        lost=sum(others) / len(others),
        lost_with_names=-found.mean("utility"),
        removed=-found.mean("risk"),
        words_left=100 * _words(done) / _words(original),
        queries=found,
    )


def _words(corpus: Corpus) -> int:
    return sum(len(each.text.split()) for each in corpus)


def shown(row: str, found: Searched) -> str:
    return f"{row:<28}{found.lost:>10.1f}{found.lost_with_names:>12.1f}{found.removed:>10.1f}{found.words_left:>12.1f}"


def details(found: RetrievalComparison) -> Iterator[str]:
    """A line for each query: documents above the threshold before, and the six changes."""
    yield f"  {'query':<12}{'true':>6}{'F':>8}{'C':>8}{'N':>8}{'TR':>8}{'PR':>8}{'NMI':>8}{'all':>8}"
    for each in found.changes:
        change = each.change
        figures = (change.f, change.coverage, change.novelty, change.returned, change.random, change.nmi)
        yield (
            f"  {each.query.name:<12}{each.before.true:>6}{figures[0]:>9.1f}"
            + "".join(f"{figure:>8.1f}" for figure in figures[1:])
            + f"{change.combined:>10.1f}"
        )


def main() -> None:
    """Print what is lost and what is removed, for each density, beside what was published."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    beside = Path(__file__).resolve().parents[2] / "shared" / "data"
    parser.add_argument("folder", type=Path, nargs="?", default=Path(os.environ.get("DISCREET_DATA", beside)))
    parser.add_argument("--volume", choices=sorted(LOOKED_FOR), default="frus1952-54Guat")
    parser.add_argument("--every", type=int, default=1)
    given = parser.parse_args()
    corpus = read_volume(given.folder / f"{given.volume}.xml.gz").corpus
    corpus = replace(corpus, documents=corpus.documents[:: given.every])
    policy = Policy.load("eo13526")
    asked = queries(given.volume, policy)
    print(f"{given.volume}, {len(corpus)} documents; in percent")
    print(f"{'':<28}{'lost':>10}{'with names':>12}{'removed':>10}{'words left':>12}")
    print("{:<28}{:>10.1f}{:>12.1f}{:>10.1f}".format("published", *PUBLISHED))
    for density in DENSITIES:
        found = searched(corpus, sanitised(corpus, policy, density).corpus, asked)
        row = "names alone" if density is None else f"names, cut from {density:g} on"
        print(shown(row, found), flush=True)
    print("\n".join(details(found.queries)))


if __name__ == "__main__":
    main()
