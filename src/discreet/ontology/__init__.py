"""Ontologies and what they make possible for categories: concepts, distances, centroids and order."""

from discreet.errors import CyclicOntology, EmptyOntology, UnmappedValues
from discreet.ontology import operators
from discreet.ontology.builder import VIRTUAL_ROOT, of_edges
from discreet.ontology.distances import DISTANCES, SemanticDistance, distance
from discreet.ontology.graph import Ontology
from discreet.ontology.information import counted_information, intrinsic_information
from discreet.ontology.mapping import MappedValues, Meaning, map_values, read_mapping
from discreet.ontology.readers import read, wordnet
from discreet.ontology.readers.formats import FORMATS
from discreet.ontology.space import Gathering, Space

__all__ = [
    "DISTANCES",
    "FORMATS",
    "VIRTUAL_ROOT",
    "CyclicOntology",
    "EmptyOntology",
    "Gathering",
    "MappedValues",
    "Meaning",
    "Ontology",
    "SemanticDistance",
    "Space",
    "UnmappedValues",
    "counted_information",
    "distance",
    "intrinsic_information",
    "map_values",
    "of_edges",
    "operators",
    "read",
    "read_mapping",
    "wordnet",
]
