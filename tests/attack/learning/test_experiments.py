"""The published experiments in short: the figures are in the neighbourhood, and wider families find no less."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import pytest

EXPERIMENTS = Path(__file__).resolve().parents[3] / "experiments"


@pytest.fixture(scope="module")
def linkage() -> dict[str, Any]:
    return runpy.run_path(str(EXPERIMENTS / "learned_linkage.py"))


@pytest.fixture(scope="module")
def keys() -> dict[str, Any]:
    return runpy.run_path(str(EXPERIMENTS / "key_attributes.py"))


@pytest.mark.parametrize("name", ["M4-33", "M4-82", "M6-853"])
def test_percentages_are_proven_and_near_the_published_ones(
    linkage: dict[str, Any], reference_data: Path, name: str
) -> None:
    original, masked = linkage["masked_file"](linkage["read_census"](reference_data), name)
    place = list(linkage["FILES"]).index(name)
    percent = {}
    for kind in ("AM", "Mahalanobis", "WM", "CI"):
        result = linkage["outcome"](kind, original, masked, seconds=600)
        assert result.limit == result.percent
        assert result.percent == pytest.approx(linkage["PUBLISHED"][kind][place], abs=7)
        percent[kind] = result.percent
    assert percent["AM"] <= percent["WM"] <= percent["CI"]


def test_standardised_values_give_quite_another_file(linkage: dict[str, Any], reference_data: Path) -> None:
    census = linkage["read_census"](reference_data)
    raw, standardised = (
        linkage["outcome"](
            "AM", *linkage["masked_file"](census, "M4-33", standardised=choice), seconds=1.0
        ).percent
        for choice in (False, True)
    )
    assert standardised > raw + 5


def test_every_column_of_a_group_shares_one_mean_to_the_last_bit(
    linkage: dict[str, Any], reference_data: Path
) -> None:
    _, masked = linkage["masked_file"](linkage["read_census"](reference_data), "M5-38", records=100)
    rows: dict[tuple[float, ...], int] = {}
    for row in masked[:, 3:5].tolist():
        rows[tuple(row)] = rows.get(tuple(row), 0) + 1
    assert min(rows.values()) >= 8


def test_weights_fall_as_the_noise_grows(keys: dict[str, Any], reference_data: Path) -> None:
    files = keys["noisy_file"](reference_data / "census.csv")
    worst, found = keys["learned_keys"](files, "weighted", seconds=600)
    assert worst.found == worst.bound == 400
    shares = list(found.columns.values())
    assert shares == sorted(shares, reverse=True)
    assert found.columns["AFNLWGT"] > 0.5
    assert keys["alone"](files) == pytest.approx(keys["PUBLISHED_ALONE"], abs=6)
