"""A small invented table, its release, and assessments to report on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from tests.small_people import PLAN, SEED, assessed, people

from discreet.assessment import Assessment, Limit
from discreet.protection import protect
from discreet.release import Release
from discreet.table import Table


@pytest.fixture(scope="session")
def table() -> Table:
    return people()


@pytest.fixture(scope="session")
def release(table: Table) -> Release:
    return protect(table, PLAN, seed=SEED)


@pytest.fixture(scope="session")
def assessment(table: Table, release: Release) -> Assessment:
    return assessed(table, release)


@pytest.fixture(scope="session")
def limited(assessment: Assessment) -> Callable[..., Assessment]:
    """Makes the assessment with other limits: (bound, found) pairs on link."""

    def make(*limits: tuple[float, float | None]) -> Assessment:
        made = [Limit(name="link", bound=bound, found=found, is_floor=False) for bound, found in limits]
        return replace(assessment, limits=tuple(made))

    return make
