"""Loss for clustering: are the same documents found together by spherical k-means?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from discreet import seeds
from discreet.errors import NotComputable
from discreet.results import Loss
from discreet.table import FloatArray, IntArray
from discreet.text.vectors.matrix import unit_rows
from discreet.text.vectors.published import VectorPair

if TYPE_CHECKING:
    from scipy.sparse import csr_array

RUNS = 10
MOST_STEPS = 100
CLUSTERS = 5
SEED = 20134
MEANING = "1 less the adjusted Rand index of the groups that spherical k-means finds before and after"


def clustering(pair: VectorPair) -> Loss:
    """How far the groups of spherical k-means differ: as many as there are classes, or five; the best of ten runs."""
    classes = pair.original.classes
    wanted = len(set(classes)) if classes is not None and len(set(classes)) > 1 else CLUSTERS
    if len(pair.sizes) < 2:
        raise NotComputable("clustering: all published rows are equal, so there are no groups to find.")
    from sklearn.metrics import adjusted_rand_score

    many = min(wanted, len(pair.sizes))
    old = spherical_k_means(pair.known, many)
    new = spherical_k_means(unit_rows(pair.published.weights), many)
    rand = float(adjusted_rand_score(old, new))
    return Loss(
        name="clustering",
        loss=min(1.0, max(0.0, 1 - rand)),
        meaning=MEANING,
        details={"adjusted_rand": rand, "clusters": many, "runs": RUNS},
    )


def spherical_k_means(rows: csr_array, clusters: int, *, runs: int = RUNS, seed: int = SEED) -> IntArray:
    """The cluster of each row of length one, of the run with the largest total of cosines to the centres.

    The same seed gives the same clusters. Dhillon and Modha 2001.
    """
    best, found = -1.0, np.zeros(rows.shape[0], dtype=np.int64)
    for run in range(runs):
        labels, total = _one_run(rows, clusters, seeds.generator(seed, run))
        if total > best + 1e-12:
            best, found = total, labels
    return found


def _one_run(rows: csr_array, clusters: int, draw: np.random.Generator) -> tuple[IntArray, float]:
    centres = _starts(rows, clusters, draw)
    labels = np.full(rows.shape[0], -1, dtype=np.int64)
    near = np.asarray(rows @ centres.T)
    for _ in range(MOST_STEPS):
        new = near.argmax(axis=1)
        if (new == labels).all():
            break
        labels = new
        centres = _centres(rows, labels, centres)
        near = np.asarray(rows @ centres.T)
    return labels, float(near[np.arange(len(labels)), labels].sum())


def _starts(rows: csr_array, clusters: int, draw: np.random.Generator) -> FloatArray:
    """Rows to start from, each drawn with a chance that grows with its distance from those before it."""
    chosen = [int(draw.integers(rows.shape[0]))]
    apart = np.full(rows.shape[0], np.inf)
    while len(chosen) < clusters:
        near = np.asarray((rows @ rows[[chosen[-1]]].T).todense()).ravel()
        apart = np.minimum(apart, np.maximum(0.0, 1.0 - near))
        weight = apart.sum()
        chance = apart / weight if weight > 0 else np.full(len(apart), 1.0 / len(apart))
        chosen.append(int(draw.choice(len(apart), p=chance)))
    return np.asarray(rows[chosen].todense())


def _centres(rows: csr_array, labels: IntArray, before: FloatArray) -> FloatArray:
    """The sums of the clusters brought to length one; one that lost all its rows stays where it is."""
    from scipy.sparse import csr_array

    members = csr_array(
        (np.ones(len(labels)), (labels, np.arange(len(labels)))), shape=(len(before), len(labels))
    )
    sums = np.asarray((members @ rows).todense())
    lengths = np.linalg.norm(sums, axis=1, keepdims=True)
    return np.asarray(np.where(lengths > 0, sums / np.where(lengths > 0, lengths, 1.0), before))
