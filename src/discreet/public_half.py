"""The public half of a manifest, made from what was done and from what the published file shows.

This is the one place where it is made. What a parameter holds of cells is told as far as the published file shows it;
the whole of it is in the private half.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import polars as pl

from discreet import registry
from discreet.guarantees import Guarantee
from discreet.manifest import PublicManifest
from discreet.parameters import file_name
from discreet.results import Masked, plain
from discreet.shown import Shown
from discreet.table import Described
from discreet.transitions import PRAM, joined_transitions


def public_half(
    published: Described,
    *,
    types: Mapping[str, pl.DataType],
    steps: Sequence[Masked],
    guarantees: Sequence[Guarantee],
    dropped: int,
    pseudonymised: Sequence[str],
    order: str,
    rows_kept: bool,
    steps_left: int = 0,
) -> PublicManifest:
    """The public manifest of a published table.

    `published` is described by what it shows (`discreet.shown.as_shown`), and `types` are those of the original.
    """
    return PublicManifest(
        steps=tuple(_step(each, published, types) for each in steps),
        columns=tuple(
            replace(each, ontology=file_name(each.ontology), mapping=file_name(each.mapping))
            for each in published.columns
        ),
        guarantees=tuple(each.as_shown(published).to_dict() for each in guarantees),
        dropped=dropped,
        pseudonymised=tuple(pseudonymised),
        order=order,
        rows_kept=rows_kept,
        steps_left=steps_left,
    )


def _step(step: Masked, published: Described, types: Mapping[str, pl.DataType]) -> dict[str, Any]:
    """A step with its method, what may be told of its parameters, and which ontologies it used."""
    method = registry.find("mask", step.method)
    columns = [name for name in step.parameters.get("columns") or () if name in published.names]
    shown = Shown(table=published, columns=tuple(columns), types=types)
    shown_parameters = {
        each.name: each.kind.published(step.parameters[each.name], shown) for each in method.parameters
    }
    step_facts: dict[str, Any] = {"method": step.method, "parameters": plain(shown_parameters)}
    used = {name: each for name, each in step.facts.get("ontologies", {}).items() if name in published.names}
    if used:
        step_facts["ontologies"] = plain(used)
    if step.method == PRAM and (chances := joined_transitions(step.parameters, shown_parameters)):
        step_facts["transitions"] = chances
    return step_facts
