"""Semantic distances between concepts: zero for the same concept, larger for less alike."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from numpy.typing import ArrayLike, NDArray

from discreet.errors import UnknownMethod, did_you_mean
from discreet.ontology.features import petrakis, rodriguez, tversky
from discreet.ontology.graph import Ontology
from discreet.ontology.information import Information, checked_information, intrinsic_information
from discreet.ontology.pairs import best_common, nearest, shared

Matrix = NDArray[np.float64]
Concepts = NDArray[np.int64]
Measure = Callable[["SemanticDistance", Concepts, Concepts], Matrix]

DEFAULT = "log_sc"
CELLS_AT_ONCE = 1 << 23


@dataclass(frozen=True, slots=True, kw_only=True)
class DistanceFacts:
    """What is declared of one distance.

    `separates` says that only the same concept is at distance zero. `uses` names what it needs beside the links.
    """

    name: str
    definition: str
    cites: str
    measure: Measure
    separates: bool = True
    uses: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SemanticDistance:
    """One distance over one ontology. Symmetric; zero on the diagonal; from 0 to `largest`."""

    name: str
    ontology: Ontology
    information: Information
    largest: float

    def __str__(self) -> str:
        return f"{self.name} over {self.ontology}"

    def __call__(self, a: int, b: int) -> float:
        """The distance between two concepts."""
        return float(self.matrix([a], [b])[0, 0])

    def matrix(self, a: ArrayLike, b: ArrayLike | None = None) -> Matrix:
        """The distances of every concept of `a` (rows) to every concept of `b` (columns; by default `a` again).

        Raises BadParameter for a number that is no concept of the ontology.
        """
        rows = self.ontology.checked(a)
        columns = rows if b is None else self.ontology.checked(b)
        measure = DISTANCES[self.name].measure
        result = np.empty((len(rows), len(columns)))
        step = max(1, CELLS_AT_ONCE // max(1, len(columns)))
        for start in range(0, len(rows), step):
            result[start : start + step] = measure(self, rows[start : start + step], columns)
        if len(rows) and len(columns):
            result[rows[:, None] == columns[None, :]] = 0.0
        return result


def distance(
    ontology: Ontology, name: str = DEFAULT, *, information: ArrayLike | None = None
) -> SemanticDistance:
    """The distance of this name over the ontology (the names are in DISTANCES).

    `information` is for resnik, lin and jiang_conrath: one number for each concept, as `counted_information` gives;
    by default it comes from the graph. Raises UnknownMethod for an unknown name.

    >>> from discreet.ontology.builder import of_edges
    >>> pets = of_edges([("dog", "animal"), ("cat", "animal")])
    >>> distance(pets, "path")(pets.concept("dog"), pets.concept("cat"))
    2.0
    """
    if name not in DISTANCES:
        raise UnknownMethod(f"there is no semantic distance '{name}'.{did_you_mean(name, DISTANCES)}")
    known = (
        intrinsic_information(ontology) if information is None else checked_information(ontology, information)
    )
    largest = float(max(1, 2 * ontology.max_depth)) if name == "path" else 1.0
    return SemanticDistance(name=name, ontology=ontology, information=known, largest=largest)


def _path(of: SemanticDistance, a: Concepts, b: Concepts) -> Matrix:
    return nearest(of.ontology, a, b).astype(np.float64)


def _leacock_chodorow(of: SemanticDistance, a: Concepts, b: Concepts) -> Matrix:
    most = math.log(2 * (of.ontology.max_depth + 1))
    of_links: Matrix = np.log(np.arange(1, 2 * of.ontology.max_depth + 2)) / most
    return np.asarray(of_links[nearest(of.ontology, a, b)])


def _wu_palmer(of: SemanticDistance, a: Concepts, b: Concepts) -> Matrix:
    lcs, links = best_common(of.ontology, a, b, of.ontology.depth)
    # N3 counts the concepts from the LCS to the root, both included, as in the paper and its published figures.
    return np.asarray(links / (links + 2.0 * (of.ontology.depth[lcs] + 1)))


def _log_sc(of: SemanticDistance, a: Concepts, b: Concepts) -> Matrix:
    above = of.ontology.ancestors
    common = shared(above.taken(a), above.taken(b))
    total = above.counts[a][:, None] + above.counts[b][None, :]
    # The sets are small, so the logarithms of all (total, common) that can occur make a small table.
    totals, commons = np.arange(total.max(initial=0) + 1), np.arange(common.max(initial=0) + 1)
    union = np.maximum(1, totals[:, None] - commons[None, :])
    table = np.log2(1 + np.maximum(0, union - commons[None, :]) / union)
    return np.asarray(table.ravel()[total * len(commons) + common])


def _resnik(of: SemanticDistance, a: Concepts, b: Concepts) -> Matrix:
    most = of.information.max() or 1.0
    return 1 - of.information[best_common(of.ontology, a, b, of.information)[0]] / most


def _lin(of: SemanticDistance, a: Concepts, b: Concepts) -> Matrix:
    together = of.information[a][:, None] + of.information[b][None, :]
    common = 2 * of.information[best_common(of.ontology, a, b, of.information)[0]]
    return np.clip(1 - common / np.where(together > 0, together, 1.0), 0.0, 1.0)


def _jiang_conrath(of: SemanticDistance, a: Concepts, b: Concepts) -> Matrix:
    most = 2 * of.information.max() or 1.0
    together = of.information[a][:, None] + of.information[b][None, :]
    common = 2 * of.information[best_common(of.ontology, a, b, of.information)[0]]
    return np.clip((together - common) / most, 0.0, 1.0)


def _featured(measure: Callable[[Ontology, Concepts, Concepts], Matrix]) -> Measure:
    return lambda of, a, b: 1 - measure(of.ontology, a, b)


DISTANCES: MappingProxyType[str, DistanceFacts] = MappingProxyType(
    {
        facts.name: facts
        for facts in (
            DistanceFacts(
                name="path",
                definition="links: the fewest is-a links, up from one to a common ancestor and down to the other",
                cites="Rada, Mili, Bicknell and Blettner 1989",
                measure=_path,
            ),
            DistanceFacts(
                name="leacock_chodorow",
                definition="1 - sim/max sim, sim = -log((links + 1) / (2(D + 1))): log(links + 1) / log(2(D + 1))",
                cites="Leacock and Chodorow 1998",
                measure=_leacock_chodorow,
            ),
            DistanceFacts(
                name="wu_palmer",
                definition="1 - sim, sim = 2*N3 / (N1 + N2 + 2*N3): N1, N2 links to the LCS, N3 the concepts from "
                "there to the root",
                cites="Wu and Palmer 1994",
                measure=_wu_palmer,
            ),
            DistanceFacts(
                name="log_sc",
                definition="log2(1 + (|T(a) or T(b)| - |T(a) and T(b)|) / |T(a) or T(b)|)",
                cites="Batet, Sánchez and Valls 2011",
                measure=_log_sc,
            ),
            DistanceFacts(
                name="resnik",
                definition="1 - IC(m) / max IC, m the most informative common ancestor; 0 for the same concept",
                cites="Resnik 1995",
                measure=_resnik,
                uses="information",
            ),
            DistanceFacts(
                name="lin",
                definition="1 - 2*IC(m) / (IC(a) + IC(b))",
                cites="Lin 1998",
                measure=_lin,
                uses="information",
            ),
            DistanceFacts(
                name="jiang_conrath",
                definition="(IC(a) + IC(b) - 2*IC(m)) / (2 * max IC)",
                cites="Jiang and Conrath 1997",
                measure=_jiang_conrath,
                uses="information",
            ),
            DistanceFacts(
                name="tversky",
                definition="1 - the mean over both directions of |A and B| / (|A and B| + g|A - B| + (1-g)|B - A|), "
                "A the words for all of T(a)",
                cites="Tversky 1977",
                measure=_featured(tversky),
                separates=False,
                uses="words",
            ),
            DistanceFacts(
                name="rodriguez",
                definition="1 - the mean of three such ratios: over words, words of glosses, and concepts above",
                cites="Rodríguez and Egenhofer 2003",
                measure=_featured(rodriguez),
                separates=False,
                uses="words and glosses",
            ),
            DistanceFacts(
                name="petrakis",
                definition="0 when a word is shared, else 1 - the larger overlap (|A and B| / |A or B|) of the words "
                "for T(a) and T(b) or of glosses",
                cites="Petrakis, Varelas, Hliaoutakis and Raftopoulou 2006",
                measure=_featured(petrakis),
                separates=False,
                uses="words and glosses",
            ),
        )
    }
)
"""The distances by name."""
