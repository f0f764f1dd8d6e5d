"""Patients with a complaint and a treatment, drawn at random from the hierarchies of the worked examples."""

from __future__ import annotations

from typing import Any

import polars as pl
from hypothesis import strategies as st

from discreet.table import Table

DISEASES = ["colic", "lumbago", "migraine", "appendicitis", "gastritis", "pain"]
TREATMENTS = ["rehabilitation", "antibiotic", "aspirin", "hospitalisation"]
PATIENTS = st.lists(
    st.tuples(st.sampled_from(DISEASES), st.sampled_from(TREATMENTS)), min_size=4, max_size=40
)


def table_of(rows: Any) -> Table:
    frame = pl.DataFrame(rows, schema={"disease": pl.String, "treatment": pl.String}, orient="row")
    return Table.of(frame, roles={}, rest="quasi-identifier")
