"""Ways to mask two categories of the Adult file, by loss, risk and score from k = 2 to 1800.

    python experiments/adult.py FOLDER [--quick]

FOLDER holds adult.csv.gz. Of the records without unknowns, occupation and native-country are masked over WordNet, by
the methods and variants that were published for them. Printed are, for each k, the semantic loss, the risk of semantic
and of matching linkage in percent, the score (the mean of loss and semantic risk), the divergence of the distribution
and the CPU seconds; figures go to experiments/figures, one of them with the score at k = 128 for other weights of loss
and risk than halves. `--quick` runs three values of k and draws nothing.

The published words for the occupations (experiments/adult_concepts.csv) have several senses, and the first is often
not the one that is meant: a cleaner would be a cleansing agent, an operator a symbol of mathematics. So each is given
by the identifier of its sense. `Sales`, for which no word was published, is a salesperson; `South` is taken for South
Korea.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import altair as alt
import numpy as np
import polars as pl

import discreet as dc

HERE = Path(__file__).resolve().parent
COLUMNS = ["occupation", "native-country"]
CONCEPTS = str(HERE / "adult_concepts.csv")
KS = (2, 3, 5, 8, 12, 20, 30, 50, 80, 128, 200, 300, 500, 800, 1200, 1800)
QUICK = (2, 30, 500)
SEED = 1
BALANCED_AT = 128
SHARES = [share / 20 for share in range(21)]


class Measured(NamedTuple):
    """One method at one k."""

    method: str
    k: int
    loss: float
    semantic: float
    matching: float
    score: float
    divergence: float
    seconds: float


def adult(folder: Path) -> dc.Table:
    """The two columns of the records without unknowns."""
    frame = pl.read_csv(folder / "adult.csv.gz").drop_nulls().select(COLUMNS)
    return dc.Table.of(
        frame,
        roles={},
        rest="quasi-identifier",
        ontologies=dict.fromkeys(COLUMNS, "wordnet"),
        name="adult",
    )


def microaggregated(**options: Any) -> Callable[[dc.Table, int], dc.Table]:
    """A variant of semantic microaggregation."""
    return lambda table, k: dc.mask.semantic_microaggregate(table, k=k, mapping=CONCEPTS, **options).table


def recoded(variant: str) -> Callable[[dc.Table, int], dc.Table]:
    return lambda table, k: dc.mask.semantic_recode(table, k=k, variant=variant, mapping=CONCEPTS).table


def resampled(table: dc.Table, k: int) -> dc.Table:
    return dc.mask.semantic_resample(table, k=k, mapping=CONCEPTS, seed=SEED).table


def suppressed(table: dc.Table, k: int) -> dc.Table:
    """Records whose combination is rarer than k lose both values: the baseline."""
    sizes = table.frame.select(pl.len().over(COLUMNS))["len"]
    return table.with_values({name: table.frame[name].set(sizes < k, None) for name in COLUMNS})


METHODS: dict[str, Callable[[dc.Table, int], dc.Table]] = {
    "semantic adaptive (SA-MDAV)": microaggregated(),
    "semantic recoding": recoded("weighted"),
    "semantic resampling": resampled,
    "fixed size, 0/1 and mode": microaggregated(variant="fixed", distance="exact"),
    "fixed size, Wu-Palmer and LCS": microaggregated(variant="fixed", distance="wu_palmer", centroid="lcs"),
    "records below k suppressed": suppressed,
}
VARIANTS: dict[str, Callable[[dc.Table, int], dc.Table]] = {
    "adaptive": microaggregated(),
    "adaptive, static centre": microaggregated(variant="static"),
    "adaptive, distances by frequency": microaggregated(weighted=True),
    "fixed size (S-MDAV)": microaggregated(variant="fixed"),
    "recoding, less rare targets": recoded("weighted"),
    "recoding, nearest targets": recoded("nearest"),
}


def measure(table: dc.Table, name: str, mask: Callable[[dc.Table, int], dc.Table], k: int) -> Measured:
    """What one method loses and risks at one k."""
    began = time.process_time()
    masked = mask(table, k)
    seconds = time.process_time() - began
    loss = dc.loss.semantic_sse(table, masked, mapping=CONCEPTS).loss
    semantic = 100 * dc.attack.link_semantic(table, masked, mapping=CONCEPTS).risk
    return Measured(
        method=name,
        k=k,
        loss=loss,
        semantic=semantic,
        matching=100 * dc.attack.link_matching(table, masked).risk,
        score=(loss + semantic) / 2,
        divergence=dc.loss.kl_divergence(table, masked).loss,
        seconds=seconds,
    )


def measured(
    table: dc.Table, methods: dict[str, Callable[[dc.Table, int], dc.Table]], ks: Sequence[int]
) -> list[Measured]:
    """All methods at all k."""
    return [measure(table, name, mask, k) for name, mask in methods.items() for k in ks]


def drawn(rows: Iterable[Measured], field: str, title: str) -> Any:
    """One measure against k, both on logarithmic scales, a line for each method."""
    x = alt.X(
        "k:Q",
        scale=alt.Scale(type="log", domain=[2, 2000], nice=False),
        axis=alt.Axis(values=[2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000], grid=False, format="d"),
        title="k",
    )
    return lines([row._asdict() for row in rows], x, field, title)


def balanced(rows: Iterable[Measured]) -> Any:
    """The score at one k against the weight that the loss has in it, a line for each method."""
    values = [
        {"method": row.method, "share": share, "score": share * row.loss + (1 - share) * row.semantic}
        for row in rows
        for share in SHARES
        if row.k == BALANCED_AT
    ]
    title = f"score at k = {BALANCED_AT}, percent (log scale)"
    x = alt.X("share:Q", axis=alt.Axis(grid=False), title="weight of the loss; the rest is that of the risk")
    return lines(values, x, "score", title)


def lines(values: list[dict[str, Any]], x: Any, field: str, title: str) -> Any:
    """A line for each method over x, its colour and its dashes in the legend."""
    order = list(dict.fromkeys(row["method"] for row in values))
    legend = alt.Legend(title=None, labelLimit=260, orient="right", symbolType="stroke", symbolSize=900)
    return (
        alt.Chart(alt.InlineData(values=values), title=title)
        .mark_line()
        .encode(
            x=x,
            y=alt.Y(
                f"{field}:Q",
                scale=alt.Scale(type="log", nice=False),
                axis=alt.Axis(values=[0.01, 0.1, 1, 10, 100, 1000], format="~g"),
                title=None,
            ),
            color=alt.Color(
                "method:N",
                sort=order,
                scale=alt.Scale(domain=order, scheme="dark2"),
                legend=legend,
            ),
            strokeDash=alt.StrokeDash("method:N", sort=order, scale=alt.Scale(domain=order), legend=legend),
        )
        .properties(width=420, height=230)
        .configure_view(stroke=None)
        .configure_axis(gridColor="#dfe4e8", domainColor="#dfe4e8", tickColor="#dfe4e8")
        .configure_title(anchor="start", fontWeight="normal", fontSize=13)
    )


def told(rows: Iterable[Measured]) -> None:
    print(f"{'':<34}{'k':>6}{'loss':>9}{'SRL %':>8}{'MRL %':>8}{'score':>8}{'KL':>8}{'CPU s':>8}")
    for row in rows:
        print(
            f"{row.method:<34}{row.k:>6}{row.loss:>9.2f}{row.semantic:>8.3f}{row.matching:>8.3f}{row.score:>8.2f}"
            f"{row.divergence:>8.3f}{row.seconds:>8.2f}"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folder", nargs="?", default=os.environ.get("DISCREET_DATA", "shared/data"))
    parser.add_argument("--quick", action="store_true")
    given = parser.parse_args()
    table = adult(Path(given.folder))
    ks = QUICK if given.quick else KS
    distinct = table.frame.group_by(COLUMNS).len()["len"]
    most = int(np.max(distinct.to_numpy()))
    print(f"{table}, {len(distinct)} pairs, {(distinct == 1).sum()} of them once, the most frequent {most}")
    # The first one to use WordNet waits for it to be read, and its seconds are not those of the method.
    dc.loss.semantic_sse(table, table, mapping=CONCEPTS)
    methods, variants = measured(table, METHODS, ks), measured(table, VARIANTS, ks)
    told([*methods, *variants])
    if given.quick:
        return
    charts = {
        "adult_loss": drawn(methods, "loss", "semantic loss, percent of the total (log scale)"),
        "adult_risk": drawn(methods, "semantic", "risk of semantic linkage, percent (log scale)"),
        "adult_matching": drawn(methods, "matching", "risk of linkage by words, percent (log scale)"),
        "adult_score": drawn(methods, "score", "score: mean of loss and risk, percent (log scale)"),
        "adult_balance": balanced(methods),
        "adult_divergence": drawn(methods, "divergence", "divergence of the distribution, nats (log scale)"),
        "adult_variants": drawn(variants, "loss", "semantic loss of variants, percent (log scale)"),
    }
    for name, chart in charts.items():
        chart.save(HERE / "figures" / f"{name}.svg")


if __name__ == "__main__":
    main()
