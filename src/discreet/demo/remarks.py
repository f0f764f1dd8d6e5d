"""What people wrote in the box for remarks: short, varied, and at times more telling than they knew."""

from __future__ import annotations

import numpy as np
import polars as pl

from discreet.demo.draw import pick
from discreet.demo.households import TOWNS, Homes
from discreet.demo.vocabulary import REGIONS
from discreet.demo.work import CALLINGS, RETIRED, STUDYING, Work
from discreet.table import IntArray

OPENINGS = {
    "infant": (
        "At home with a parent all day.",
        "Goes to the nursery in {town} three mornings a week.",
        "Looked after by grandparents in {town}.",
        "Born in the hospital at {town}.",
        "Form filled in by a parent.",
        "On the waiting list for a crèche.",
    ),
    "pupil": (
        "Goes to school in {town}.",
        "Takes the bus to school.",
        "Plays football for {town} on Saturdays.",
        "Form filled in by a parent.",
        "Taught at home since the autumn.",
        "Walks to school with the neighbours.",
    ),
    "employed": (
        "Has worked as {job} in {town} for several years.",
        "Started as {job} last spring.",
        "Works nights as {job}.",
        "The only {bare_job} in this part of {town}.",
        "Would like to work fewer hours.",
        "Changed employer during the year.",
        "Has a second job at weekends in {town}.",
        "Moved to {town} for work.",
        "Trained as {job} abroad.",
        "Income varies from month to month.",
        "Please write rather than telephone.",
        "Works from home two days a week.",
    ),
    "jobless": (
        "Lost a job as {job} when the firm in {town} closed.",
        "Looking for work since January.",
        "On a training course in {town}.",
        "Was {job} until last year and hopes to be again.",
        "Has applied for work in three counties.",
    ),
    "student": (
        "Studies in {town} and comes home at weekends.",
        "Is {job} in the last year.",
        "Works in a shop in {town} during the holidays.",
        "Shares a flat in {town} in term time.",
        "Not sure which address to give.",
    ),
    "at home": (
        "Volunteers at the library in {town}.",
        "Is {job} and lives quietly.",
        "Looks after a grandchild two days a week.",
        "Cares for a relative in {town}.",
        "Stairs are becoming difficult.",
        "Has lived in {town} since childhood.",
        "Would welcome a better bus to {town}.",
        "Would rather not say more.",
    ),
}
CLOSINGS = (
    "",
    "The form is too long.",
    "Answered on the telephone.",
    "The heating broke in February.",
    "Address may change soon.",
    "Second visit by the interviewer.",
    "Some amounts are estimates.",
    "The house was under repair.",
    "A neighbour helped with the form.",
    "Two questions were unclear.",
    "Prefers to be visited in the evening.",
    "The dog must be announced.",
)
CLOSING_ODDS = (60, *(4 for _ in CLOSINGS[1:]))
KINDS = tuple(OPENINGS)
SENTENCES = tuple(sentence for kind in KINDS for sentence in OPENINGS[kind])


def remark(homes: Homes, work: Work, rng: np.random.Generator) -> pl.Series:
    """A remark for each person.

    Each distinct sentence is made once, from a template, a town and an occupation, and handed to all who
    share it: the number of sentences has a ceiling, the number of people has none.
    """
    template = pick(rng, _template_odds(), _kind_of_person(homes, work))
    town = homes.region * TOWNS + homes.town
    code = (template * len(REGIONS) * TOWNS + town) * len(CALLINGS) + work.calling
    distinct, which = np.unique(code, return_inverse=True)
    opening = pl.Series([_sentence(int(each)) for each in distinct], dtype=pl.String).gather(which)
    tails = pl.Series([f" {each}".rstrip() for each in CLOSINGS], dtype=pl.String)
    return opening + tails.gather(pick(rng, CLOSING_ODDS, np.zeros(len(homes), dtype=np.int64)))


def _template_odds() -> list[list[float]]:
    return [[float(kind == other) for other in KINDS for _ in OPENINGS[other]] for kind in KINDS]


def _kind_of_person(homes: Homes, work: Work) -> IntArray:
    chosen = {
        "infant": homes.age < 5,
        "pupil": work.child,
        "employed": work.employed,
        "jobless": work.jobless,
        "student": work.calling == STUDYING,
        "at home": work.calling >= RETIRED,
    }
    return np.select(list(chosen.values()), [KINDS.index(each) for each in chosen]).astype(np.int64)


def _sentence(code: int) -> str:
    rest, calling = divmod(code, len(CALLINGS))
    template, place = divmod(rest, len(REGIONS) * TOWNS)
    region, town = divmod(place, TOWNS)
    job = CALLINGS[calling]
    article = "an" if job[0] in "aeiou" else "a"
    return SENTENCES[template].format(town=REGIONS[region].towns[town], job=f"{article} {job}", bare_job=job)
