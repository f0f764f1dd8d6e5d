"""Movie reviews and Reuters as k-anonymous vector spaces for k = 2 to 20, beside what was published.

    python experiments/corpora.py FOLDER [--quick]

FOLDER holds movie_reviews.zip and reuters.jsonl.gz. Printed are, for each k, the information loss of spherical and of
Euclidean microaggregation, the share of accuracy that classifiers lose, the loss of queries and clusters, and the risk
of the strongest linkage; figures go to experiments/figures, with the published ends of the curves as diamonds.
The semantic variant is run on 50 reviews with 50 and 100 nouns each. `--quick` runs two values of k and draws nothing.

The published matrices were 2000 x 12431 (186.5 terms a row) and 7346 x 5473 (29.4): the same words, counted by another
tokeniser, another list of stop words and another release of WordNet. docs/explanation/corpora.md says more.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import NamedTuple

import altair as alt
import polars as pl

from discreet.text.document import Corpus, Document
from discreet.text.vectors.attacks import link_cosine, link_rare
from discreet.text.vectors.classification import classified, relative_losses
from discreet.text.vectors.clustering import clustering
from discreet.text.vectors.collection import read_collection
from discreet.text.vectors.learned_link import link_learned
from discreet.text.vectors.losses import il, sparsity
from discreet.text.vectors.matrix import DocumentTermMatrix
from discreet.text.vectors.published import VectorPair
from discreet.text.vectors.queries import queries
from discreet.text.vectors.semantic_microaggregate import semantic_microaggregate
from discreet.text.vectors.spherical_microaggregate import microaggregate
from discreet.text.vectors.vectorise import vectorise

FIGURES = Path(__file__).resolve().parent / "figures"
SEVEN = ("earn", "acq", "crude", "trade", "money-fx", "interest", "ship")
"""The classes of Reuters with the most documents of a single topic; which seven were published is not said."""
KS = tuple(range(2, 21, 2))
QUICK = (2, 20)
SEMANTIC_KS = (2, 4, 6, 8, 10)
PUBLISHED = {"spherical": ((2, 0.17), (20, 0.65)), "Euclidean": ((2, 0.31), (20, 0.95))}
"""The ends of the published curves, over both corpora."""
PUBLISHED_ACCURACY_LOST = {"Reuters": 0.20, "movie reviews": 0.15}
PUBLISHED_SEMANTIC = {50: ((2, 0.138), (10, 0.848)), 100: ((2, 0.117), (10, 0.743))}


class Measured(NamedTuple):
    """One corpus at one k."""

    corpus: str
    k: int
    spherical: float
    euclidean: float
    accuracy_lost: float
    queries: float
    clusters: float
    sparsity: float
    linked: float


def movie_reviews(folder: Path) -> DocumentTermMatrix:
    """The matrix of the movie reviews, of words that WordNet knows."""
    documents = reviews(folder)
    corpus = Corpus(documents=tuple(documents), name="movie reviews")
    return vectorise(corpus, classes=[each.name.split("/")[-2] for each in documents], wordnet="words")


def reviews(folder: Path) -> list[Document]:
    """The reviews, without what describes the collection."""
    found = read_collection(folder / "movie_reviews.zip").corpus
    return [each for each in found if each.name.split("/")[-2] in ("pos", "neg")]


def reuters(folder: Path) -> DocumentTermMatrix:
    """The matrix of the Reuters documents of a single topic among the seven, of words that WordNet knows."""
    import gzip
    import json

    lines = gzip.decompress((folder / "reuters.jsonl.gz").read_bytes()).splitlines()
    chosen = [
        each for each in map(json.loads, lines) if len(each["topics"]) == 1 and each["topics"][0] in SEVEN
    ]
    corpus = Corpus.of((f"{each['title']}\n{each['body']}" for each in chosen), name="Reuters")
    classes, split = [each["topics"][0] for each in chosen], [each["split"] for each in chosen]
    matrix = vectorise(corpus, classes=classes, split=split, wordnet="words")
    return matrix.take(~matrix.without_words)


def measured(matrix: DocumentTermMatrix, k: int) -> Measured:
    """All measures at one k. Terms of few documents stay, as they did in what was published."""
    pair = VectorPair.of(matrix, microaggregate(matrix, k=k, rare="keep"))
    plain = VectorPair.of(matrix, microaggregate(matrix, k=k, rare="keep", centre="euclidean"))
    found = classified(matrix, lambda part: microaggregate(part, k=k, rare="keep"))
    lost = relative_losses(found)
    return Measured(
        corpus=matrix.name,
        k=k,
        spherical=il(pair).loss,
        euclidean=il(plain).loss,
        accuracy_lost=sum(lost.values()) / len(lost),
        queries=queries(pair).loss,
        clusters=clustering(pair).loss,
        sparsity=sparsity(pair).details["after"],
        linked=max(attack(pair).risk for attack in (link_cosine, link_rare, link_learned)),
    )


def semantic(folder: Path, ks: tuple[int, ...]) -> list[dict[str, float]]:
    """The information loss of semantic microaggregation of 50 reviews."""
    few = Corpus(documents=tuple(reviews(folder)[:50]))
    rows = []
    for terms in (50, 100):
        matrix = vectorise(few, wordnet="nouns", terms_each=terms)
        rows += [
            {
                "terms": terms,
                "k": k,
                "il": il(VectorPair.of(matrix, semantic_microaggregate(matrix, k=k))).loss,
            }
            for k in ks
        ]
    return rows


def draw(rows: list[Measured], meanings: list[dict[str, float]]) -> None:
    """Save the curves beside what was published."""
    ours = [
        {"corpus": row.corpus, "k": row.k, "centre": centre, "loss": loss}
        for row in rows
        for centre, loss in (("spherical", row.spherical), ("Euclidean", row.euclidean))
    ]
    told = [
        {"k": k, "centre": centre, "loss": loss} for centre, ends in PUBLISHED.items() for k, loss in ends
    ]
    _lines(ours, told, "centre", "Information loss of microaggregated vectors", "corpora_loss")
    _lines(
        [
            {
                "corpus": f"{row['terms']} nouns",
                "k": row["k"],
                "loss": row["il"],
                "centre": f"{row['terms']} nouns",
            }
            for row in meanings
        ],
        [
            {"k": k, "loss": loss, "centre": f"{terms} nouns"}
            for terms, ends in PUBLISHED_SEMANTIC.items()
            for k, loss in ends
        ],
        "centre",
        "Information loss of semantic microaggregation",
        "corpora_semantic",
    )
    use = [
        {"corpus": row.corpus, "k": row.k, "centre": name, "loss": value}
        for row in rows
        for name, value in (
            ("accuracy lost", row.accuracy_lost),
            ("queries", row.queries),
            ("clusters", row.clusters),
            ("strongest linkage", row.linked),
        )
    ]
    worst = [{"k": 20, "centre": "accuracy lost", "loss": loss} for loss in PUBLISHED_ACCURACY_LOST.values()]
    _lines(use, worst, "centre", "Use and risk by k", "corpora_use")


def _lines(
    ours: list[dict[str, object]] | list[dict[str, float]],
    told: list[dict[str, object]],
    colour: str,
    title: str,
    file: str,
) -> None:
    base = alt.Chart(
        title=alt.Title(
            title, subtitle="Reuters full, movie reviews broken; diamonds are what was published"
        ),
        width=460,
        height=300,
    ).encode(
        x=alt.X("k:Q", title="k"),
        y=alt.Y("loss:Q", title=None, scale=alt.Scale(domain=[0, 1]), axis=alt.Axis(format="%")),
        color=alt.Color(f"{colour}:N", title=None, scale=alt.Scale(scheme="dark2")),
    )
    lines = (
        base.mark_line(point=True)
        .encode(strokeDash=alt.StrokeDash("corpus:N", legend=None))
        .properties(data=alt.InlineData(values=ours))
    )
    points = base.mark_point(shape="diamond", size=130, filled=True, opacity=0.6).properties(
        data=alt.InlineData(values=told)
    )
    FIGURES.mkdir(exist_ok=True)
    (lines + points).save(FIGURES / f"{file}.svg")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--quick", action="store_true", help="two values of k, nothing drawn")
    given = parser.parse_args()
    rows: list[Measured] = []
    for matrix in (movie_reviews(given.folder), reuters(given.folder)):
        print(f"{matrix.name}: {matrix}; {matrix.built['wordnet']}", flush=True)
        for k in QUICK if given.quick else KS:
            rows.append(measured(matrix, k))
            print(rows[-1], flush=True)
    meanings = semantic(given.folder, QUICK[:1] if given.quick else SEMANTIC_KS)
    with pl.Config(tbl_rows=100, tbl_cols=20):
        print(pl.DataFrame(rows, orient="row", schema=list(Measured._fields)))
        print(pl.DataFrame(meanings))
    if not given.quick:
        draw(rows, meanings)


if __name__ == "__main__":
    main()
