"""The distances agree with people as the published studies say: the experiment in short."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import pytest

from discreet.ontology import DISTANCES, Ontology

SCRIPT = Path(__file__).resolve().parents[2] / "experiments" / "human_ratings.py"


@pytest.fixture(scope="module")
def experiment() -> dict[str, Any]:
    return runpy.run_path(str(SCRIPT))


@pytest.mark.parametrize(
    ("study", "name", "expected"),
    [
        ("miller_charles", "log_sc", 0.80),
        ("rubenstein_goodenough", "log_sc", 0.85),
        ("miller_charles", "path", 0.63),
        ("miller_charles", "wu_palmer", 0.77),
        ("rubenstein_goodenough", "leacock_chodorow", 0.83),
        ("miller_charles", "tversky", 0.73),
        ("miller_charles", "petrakis", 0.75),
    ],
)
def test_the_least_over_the_senses_agrees_with_people(
    experiment: dict[str, Any],
    real_wordnet: Ontology,
    reference_data: Path,
    study: str,
    name: str,
    expected: float,
) -> None:
    pairs = experiment["read_pairs"](reference_data / f"{study}.csv")
    assert experiment["correlation"](real_wordnet, pairs, name, "all") == pytest.approx(expected, abs=0.01)


def test_the_least_over_the_senses_agrees_better_than_the_first_sense(
    experiment: dict[str, Any], real_wordnet: Ontology, reference_data: Path
) -> None:
    for study in experiment["STUDIES"]:
        pairs = experiment["read_pairs"](reference_data / f"{study}.csv")
        of_first, of_all = (
            experiment["correlation"](real_wordnet, pairs, "log_sc", each) for each in ("first", "all")
        )
        assert of_all > of_first + 0.1


def test_every_distance_stands_beside_its_published_figure(experiment: dict[str, Any]) -> None:
    assert experiment["PUBLISHED"].keys() == DISTANCES.keys()


def test_the_interval_of_a_correlation_is_fishers(experiment: dict[str, Any]) -> None:
    # tanh(atanh(0.8) -+ 1.96 / sqrt(27))
    assert experiment["interval"](0.8, 30) == pytest.approx((0.618, 0.901), abs=0.001)
