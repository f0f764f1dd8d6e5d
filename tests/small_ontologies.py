"""Two hierarchies small enough to check distances by hand."""

from __future__ import annotations

from discreet.ontology import of_edges

ANIMALS = of_edges(
    [("dog", "mammal"), ("cat", "mammal"), ("mammal", "animal"), ("eagle", "bird"), ("bird", "animal")],
    name="animals",
)
COLOURS = of_edges(
    [("red", "warm"), ("orange", "warm"), ("blue", "cold"), ("warm", "colour"), ("cold", "colour")]
)
ONTOLOGIES = {"animal": ANIMALS, "colour": COLOURS}
