"""Every term of the desk in one sentence, from the methods' own facts where these say it."""

from __future__ import annotations

from collections.abc import Mapping

from discreet.headline import MEANINGS
from discreet.reporting.words import sentence

ROLES: Mapping[str, str] = {
    "identifier": "Says who somebody is, as a name or a number does; it is left out of the release.",
    "person": "Numbers people who have several records; it is left out, and k counts people by it.",
    "quasi-identifier": "An intruder may know it of somebody, as age or place of living; it is what gets masked.",
    "confidential": "What an intruder would like to learn, as an illness or an income.",
    "insensitive": "Neither known to an intruder nor worth learning; it is published as it is.",
    "weight": "How many people of the population a record stands for.",
    "household": "Says which records live together; what one member tells counts for all.",
    "stratum": "The part of the population that a record was sampled from.",
}
SCALES: Mapping[str, str] = {
    "numeric": "Numbers or dates that one can reckon with.",
    "ordinal": "Categories that have an order, as levels of education do.",
    "nominal": "Categories without an order, as occupations.",
    "text": "Free text; a sentence can name a person, so it is left out unless you say otherwise.",
}
TERMS: Mapping[str, str] = {
    "risk": "How often an intruder is right: a share of people or of values, for the strongest attack that was run.",
    "loss": "How much use of the data is lost: 0 is unchanged, 100 is that nothing is left.",
    "identity": f"{sentence(MEANINGS['identity'])}.",
    "attribute": f"{sentence(MEANINGS['attribute'])}.",
    "lost": "The headline loss, in percent: the mean of how far single values moved and how far statistics moved.",
    "k": "The fewest people who share one combination of quasi-identifiers; with k = 1 somebody is alone.",
    "limit": "What you accept at most; a release meets it, exceeds it, or could not be checked, which is not met.",
    "role": "What a column is to an intruder.",
    "scale": "What may be done with a column's values.",
    "plan": "Masking steps in order; the project file holds it, and the command line runs the same one.",
    "preview": "What the plan does to some of the records; on a sample risks look higher than in the whole file.",
    "release": "The masked file with a public manifest, and apart from it what must stay secret.",
    "manifest": "What is published beside the file: methods, parameters and digests that others can check.",
    "signature": "Proves to whoever has your public key that the manifest is yours and was not changed.",
    "coalition": "People who put several releases of the same persons together and learn more than each tells alone.",
    "seed": "The secret number that random masking starts from; whoever has it can undo the masking.",
    "special records": "Records that a few columns already single out (special uniques); intruders find them first.",
    "intruder": "Whoever tries to find people in the release: what they know decides how many they find.",
    "guarantee": "A property that is checked on the written file before it is put in place.",
    "front": "The plans that no other plan beats in both risk and loss.",
    "map of risk and loss": "Each point is a plan: further left is safer, further down is more useful.",
    "guessing": "What somebody gets right without the release.",
    "project": "The file that says what the columns are, how they are masked and what the release must stand up to.",
    "hierarchy": "What each value becomes when it is made coarser, level by level, up to one text for all.",
    "importance": "How much a column counts in what is lost; 1 unless you say otherwise.",
    "population": "Everybody the records were drawn from: a release hides a person among those who look alike there.",
    "proposal": "What names and values of a column suggest; it decides nothing, you do.",
}
GLOSSARY: Mapping[str, str] = {**TERMS, **ROLES, **SCALES}
