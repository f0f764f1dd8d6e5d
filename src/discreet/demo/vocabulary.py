"""The words of the invented census: regions, towns, occupations, countries and illnesses.

Regions and towns are made up. Occupations, countries and illnesses are plain English nouns, so that
an ontology of English knows them.
"""

from __future__ import annotations

from typing import NamedTuple


class Region(NamedTuple):
    """A stratum: its share of the population, how wages and rents differ there, and who moves there."""

    name: str
    code: str
    share: float
    log_wage: float
    log_rent: float
    migrants: float
    commute: float
    towns: tuple[str, str, str, str, str]


class Occupation(NamedTuple):
    """A job: how many women hold it, how it pays, and how often each level of schooling leads to it.

    `schooling` gives four odds: up to lower secondary; upper secondary or vocational; bachelor; beyond.
    """

    name: str
    women: float
    log_wage: float
    schooling: tuple[float, float, float, float]


REGIONS = (
    Region(
        "Aldermark",
        "AL",
        0.26,
        0.17,
        0.42,
        0.38,
        31,
        ("Kingsmere", "Port Alder", "Harrowby", "Lindale", "Stonequay"),
    ),
    Region(
        "Brackenshire",
        "BR",
        0.18,
        0.05,
        0.12,
        0.25,
        25,
        ("Brackenford", "Old Heath", "Wexcombe", "Tarnley", "Fernhill"),
    ),
    Region(
        "Calderland",
        "CA",
        0.14,
        0.00,
        0.00,
        0.21,
        24,
        ("Calder Cross", "Millhaven", "Oakham Vale", "Ravensey", "Thornby"),
    ),
    Region(
        "Dunmoor",
        "DU",
        0.12,
        -0.05,
        -0.10,
        0.17,
        22,
        ("Dunwick", "Greymoor", "Peatfold", "Skelbeck", "Hawksett"),
    ),
    Region(
        "Eastvale",
        "EA",
        0.11,
        -0.02,
        -0.06,
        0.20,
        23,
        ("Easthaven", "Marlow Green", "Sandwell", "Wynford", "Crowmarsh"),
    ),
    Region(
        "Fenwick",
        "FE",
        0.08,
        -0.10,
        -0.16,
        0.23,
        20,
        ("Fenton Lode", "Reedham", "Sluice End", "Waterby", "Eelstow"),
    ),
    Region(
        "Glenarrow",
        "GL",
        0.07,
        -0.08,
        -0.14,
        0.12,
        19,
        ("Arrowbridge", "Glenmore", "Kilbrae", "Strathorn", "Lochend"),
    ),
    Region(
        "Hartisles",
        "HA",
        0.04,
        -0.14,
        -0.22,
        0.09,
        15,
        ("Hartness", "Saltwick", "Seal Bay", "Norhaven", "Gullstone"),
    ),
)

OCCUPATIONS = (
    Occupation("cleaner", 0.78, -0.38, (11, 2.5, 0.2, 0.05)),
    Occupation("laborer", 0.08, -0.24, (11, 3, 0.2, 0.05)),
    Occupation("farmer", 0.25, -0.20, (6, 3.5, 1, 0.3)),
    Occupation("driver", 0.08, -0.14, (11, 5, 0.4, 0.1)),
    Occupation("cook", 0.45, -0.26, (8, 4, 0.4, 0.1)),
    Occupation("waiter", 0.58, -0.40, (7, 4, 0.7, 0.2)),
    Occupation("salesperson", 0.60, -0.20, (9, 9, 3, 0.8)),
    Occupation("hairdresser", 0.86, -0.30, (3, 4, 0.2, 0.05)),
    Occupation("carpenter", 0.03, -0.02, (5, 6, 0.3, 0.1)),
    Occupation("plumber", 0.02, 0.06, (3, 5, 0.2, 0.05)),
    Occupation("electrician", 0.03, 0.08, (2, 6, 0.6, 0.1)),
    Occupation("mechanic", 0.04, 0.00, (4, 6, 0.4, 0.1)),
    Occupation("clerk", 0.62, -0.08, (4, 11, 7, 2)),
    Occupation("secretary", 0.88, -0.08, (1.5, 7, 3, 0.8)),
    Occupation("policeman", 0.24, 0.14, (0.3, 4, 2.5, 0.6)),
    Occupation("nurse", 0.87, 0.06, (0.2, 4, 12, 3)),
    Occupation("programmer", 0.22, 0.26, (0.1, 2, 9, 7)),
    Occupation("accountant", 0.52, 0.22, (0.1, 1.5, 9, 6)),
    Occupation("teacher", 0.72, 0.10, (0.05, 0.5, 13, 14)),
    Occupation("engineer", 0.18, 0.28, (0.05, 1, 8, 11)),
    Occupation("manager", 0.38, 0.34, (0.6, 4, 10, 9)),
    Occupation("lawyer", 0.52, 0.42, (0, 0, 1, 8)),
    Occupation("physician", 0.50, 0.52, (0, 0, 0.3, 9)),
    Occupation("professor", 0.38, 0.38, (0, 0, 0.2, 5)),
)

STUDENT, PENSIONER, HOMEMAKER = "student", "pensioner", "homemaker"

EDUCATION = (
    "none",
    "primary",
    "lower secondary",
    "upper secondary",
    "vocational",
    "bachelor",
    "master",
    "doctorate",
)
HEALTH = ("very bad", "bad", "fair", "good", "very good")
MARITAL = ("single", "married", "divorced", "widowed", "separated")
BENEFITS = ("none", "pension", "unemployment", "disability", "child", "student grant", "housing")

HOME_COUNTRY = "Ireland"
OTHER_COUNTRIES = {
    "United Kingdom": 21.0,
    "Poland": 16.0,
    "India": 8.5,
    "Romania": 7.0,
    "Lithuania": 5.0,
    "Brazil": 5.5,
    "Latvia": 3.2,
    "Nigeria": 3.6,
    "Philippines": 3.4,
    "Germany": 2.6,
    "Spain": 2.9,
    "Italy": 2.6,
    "France": 2.4,
    "China": 2.3,
    "Pakistan": 2.2,
    "Ukraine": 5.5,
    "Portugal": 1.2,
    "Canada": 1.0,
    "Australia": 1.0,
    "Syria": 0.8,
    "Zimbabwe": 0.7,
    "Mexico": 0.5,
    "Japan": 0.3,
    "Iceland": 0.1,
}

DIAGNOSES = {
    "none": (82.0, 74.0, 52.0, 26.0),
    "asthma": (7.0, 5.0, 4.5, 5.0),
    "eczema": (6.0, 3.5, 2.0, 1.5),
    "epilepsy": (0.8, 0.9, 0.9, 1.0),
    "migraine": (1.5, 5.0, 4.5, 2.0),
    "depression": (0.8, 7.0, 8.0, 5.0),
    "anemia": (1.0, 1.6, 1.5, 2.5),
    "diabetes": (0.5, 1.2, 6.5, 12.0),
    "hypertension": (0.1, 1.2, 11.0, 23.0),
    "arthritis": (0.1, 0.6, 6.5, 14.0),
    "cancer": (0.1, 0.3, 1.8, 6.0),
    "hepatitis": (0.1, 0.2, 0.5, 0.4),
    "schizophrenia": (0.0, 0.5, 0.5, 0.3),
}
