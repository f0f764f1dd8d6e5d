"""The published attack on rank swapping, on the published files: a short version of experiments/rank_swapping.py."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / "experiments" / "rank_swapping.py"


@pytest.fixture(scope="module")
def experiment() -> ModuleType:
    spec = importlib.util.spec_from_file_location("rank_swapping_experiment", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("p", "intersection", "distance"), [(2, 83.4, 77.0), (10, 52.8, 26.6), (20, 20.6, 6.0)]
)
def test_means_over_the_known_attributes_of_census_are_those_of_the_trial(
    experiment: ModuleType, reference_data: Path, p: int, intersection: float, distance: float
) -> None:
    drawn = experiment.curves(experiment.read(reference_data, "census"), p, paired=0)
    assert drawn["RSLD"].mean == pytest.approx(intersection, rel=0.12)
    assert drawn["DLD"].mean == pytest.approx(distance, rel=0.12)


def test_the_intersection_finds_most(experiment: ModuleType, reference_data: Path) -> None:
    """Agreement estimated record by record finds more than published, with all attributes more than distance does."""
    for name, paired in (("census", 1), ("eia", 0)):
        drawn = experiment.curves(experiment.read(reference_data, name), 4, draws=1, paired=paired)
        assert drawn["RSLD"].mean > drawn["DLD"].mean
        if paired:
            assert drawn["RSLD"].percents[-1] >= drawn["PLD"].percents[-1] > experiment.PUBLISHED[name][4][2]


def test_all_attributes_known_leave_hardly_anybody_hidden(
    experiment: ModuleType, reference_data: Path
) -> None:
    table = experiment.read(reference_data, "census")
    drawn = experiment.curves(table, 10, draws=1, paired=0)
    assert drawn["RSLD"].percents[-1] == pytest.approx(98.1, abs=1.5)
    assert drawn["DLD"].percents[-1] < 70
