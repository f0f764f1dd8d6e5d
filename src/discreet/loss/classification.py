"""Loss for classification: does a model learnt from the published file predict as well as one learnt from the truth?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from discreet import registry, seeds
from discreet.coding import MISSING
from discreet.errors import NotComputable, WrongScale
from discreet.loss.coded import coded
from discreet.loss.compared import UNWEIGHTED, loss_of
from discreet.loss.features import features
from discreet.matches import true_matches
from discreet.parameters import CONFIDENTIAL_CATEGORIES, KEYS, Choice, Compared, Targets, Whole
from discreet.results import Loss
from discreet.seeds import Seed
from discreet.table import FloatArray, IntArray, Scale, Table

TRUE, PUBLISHED = "original", "masked"
SCENARIOS = ("original to masked", "masked to masked", "masked to original")
BASE = "original to original"
MOST_STEPS = 300
STEEPEST = 1e-3
"""A logistic regression has settled when its penalised log-likelihood rises by no more than this per record."""
MEANING = (
    "how much less often a classifier is right when the published file takes part than with the true one alone, as a "
    "share of all predictions: 0 is as good, 0.1 is ten more in a hundred wrong"
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Task:
    """One table's records for one target, in an order of their own, each in one part of the cross-validation."""

    values: FloatArray
    target: IntArray
    part: IntArray


@registry.loss(
    family="purpose",
    title="Classification",
    unit=registry.FROM_0_TO_1,
    splits=registry.Split.WHOLE,
    instead="contingency, or a sample of the records",
    scales=registry.ANY_SCALE,
    missing=(
        "a missing number counts as the mean of its column and as a feature that says so; records without the target "
        f"are left out; {UNWEIGHTED}"
    ),
    meaning=MEANING,
    cites=("Herranz, Matwin, Nin and Torra, Computers and Security 29(8), 2010",),
    cost="expensive",
)
def classification(
    original: Table,
    masked: Table,
    *,
    targets: Targets = CONFIDENTIAL_CATEGORIES,
    columns: Compared = KEYS,
    scenario: Annotated[
        str, Choice(among=SCENARIOS, about="where the model is learnt, and where it is tested")
    ] = "masked to original",
    model: Annotated[
        str, Choice(among=("logistic", "tree"), about="logistic regression, or a decision tree")
    ] = "logistic",
    folds: Annotated[int, Whole(at_least=2, at_most=20, about="parts of the cross-validation")] = 3,
    truth: IntArray | None = None,
    seed: Seed = 1,
) -> Loss:
    """The fall in accuracy against a model that is learnt and tested on the original, averaged over the targets.

    Records are split into parts by person, so that nobody is tested by a model that has seen them. Models are learnt
    from all parts but one of either table and tested on the part left out of either table; the loss is that of one
    scenario, and the details hold the accuracies of all four and that of always guessing the most frequent category.
    A masked table that happens to do better loses nothing. A logistic regression that has not settled after 300 steps
    predicts as it stands, and the details count such fits in `fits_not_settled`.

    The scenarios are those of Herranz, Matwin, Nin and Torra (2010).

    >>> masked = dc.mask.microaggregate(table, k=5).table
    >>> round(dc.loss.classification(table, masked, model="tree").loss, 4)
    0.0067
    """
    owner = true_matches(original, masked, truth)
    if len(original) == 0 or len(masked) == 0:
        raise NotComputable("classification: a table has no records.")
    accuracies: dict[str, dict[str, float]] = {}
    left_out, unsettled = 0, 0
    for target in targets:
        _check_target(original, masked, target)
        predictors = [name for name in columns if name != target]
        old, new = _tasks(original, masked, target, predictors, owner, folds, seed)
        left_out += len(original) - len(old.target) + len(masked) - len(new.target)
        if _can_be_learnt(old, folds) and _can_be_learnt(new, folds):
            accuracies[target], failed = _accuracies(old, new, model, folds, seed)
            unsettled += failed
    if not accuracies:
        raise NotComputable(
            "classification: no target has two categories to learn in every part of both tables. Use fewer folds."
        )
    falls = {name: max(0.0, each[BASE] - each[scenario]) for name, each in accuracies.items()}
    return loss_of(
        "classification",
        float(np.mean(list(falls.values()))),
        MEANING,
        columns=falls,
        left_out=left_out + len(targets) - len(accuracies),
        details={"accuracy": accuracies, **({"fits_not_settled": unsettled} if unsettled else {})},
    )


def _check_target(original: Table, masked: Table, target: str) -> None:
    for table in (original, masked):
        if table[target].scale not in (Scale.NOMINAL, Scale.ORDINAL):
            raise WrongScale(
                f"classification: target '{target}' of table '{table.name}' is {table[target].scale}; only categories "
                "can be targets."
            )


def _tasks(
    original: Table,
    masked: Table,
    target: str,
    predictors: list[str],
    owner: IntArray,
    folds: int,
    seed: Seed,
) -> tuple[Task, Task]:
    """Both tables' records, ordered by their values and split by person.

    The order makes the result the same however the tables are sorted. A masked record is in the part of the person
    it comes from, and one that comes from nobody in a part of its own.
    """
    if not predictors:
        raise NotComputable("classification: there is no column beside the target to predict it from.")
    both = features(original, masked, predictors)
    if not both.about:
        raise NotComputable(
            "classification: the columns to predict from hold a single category, the same for all."
        )
    labels = coded(original, masked, target)
    partner = np.full(len(original), -1, dtype=np.int64)
    partner[owner[owner >= 0]] = np.flatnonzero(owner >= 0)
    partners = np.column_stack([both.masked, labels.masked])[partner] * (partner >= 0)[:, None]
    order = np.lexsort(np.column_stack([partners, labels.original, both.original]).T)
    place = np.empty(len(order), dtype=np.int64)
    place[order] = seeds.generator(seed, 0).permutation(len(order))
    own = np.lexsort(np.column_stack([labels.masked, both.masked]).T)
    rank = np.empty(len(own), dtype=np.int64)
    rank[own] = np.arange(len(own))
    part = np.where(owner >= 0, place[np.maximum(owner, 0)], rank) % folds
    of_masked = np.lexsort((rank, np.where(owner >= 0, np.argsort(order)[np.maximum(owner, 0)], len(order))))
    return (
        _task(both.original, labels.original, place % folds, order),
        _task(both.masked, labels.masked, part, of_masked),
    )


def _task(values: FloatArray, target: IntArray, part: IntArray, order: IntArray) -> Task:
    known = order[target[order] != MISSING]
    return Task(values=values[known], target=target[known], part=part[known])


def _can_be_learnt(task: Task, folds: int) -> bool:
    """Whether every part has records, and the other parts at least two categories."""
    return all(
        (task.part == part).any() and len(np.unique(task.target[task.part != part])) > 1
        for part in range(folds)
    )


def _accuracies(old: Task, new: Task, model: str, folds: int, seed: Seed) -> tuple[dict[str, float], int]:
    """The share of right predictions in each scenario and by guessing, and how many fits did not settle."""
    tables = {TRUE: old, PUBLISHED: new}
    right = {f"{learnt} to {tested}": 0 for learnt in tables for tested in tables}
    unsettled = 0
    for part in range(folds):
        for learnt, source in tables.items():
            fit = source.part != part
            predictor, settled = _learnt(source.values[fit], source.target[fit], model, seed)
            unsettled += not settled
            for tested, task in tables.items():
                use = task.part == part
                right[f"{learnt} to {tested}"] += int(
                    (predictor.predict(task.values[use]) == task.target[use]).sum()
                )
    tests = {TRUE: len(old.target), PUBLISHED: len(new.target)}
    shares = {name: count / tests[name.split(" to ")[1]] for name, count in right.items()}
    return shares | {"guessing": int(np.bincount(old.target).max()) / tests[TRUE]}, unsettled


def _learnt(values: FloatArray, target: IntArray, model: str, seed: Seed) -> tuple[Any, bool]:
    """A fitted classifier, and whether its fit settled."""
    import warnings

    from sklearn.exceptions import ConvergenceWarning
    from sklearn.linear_model import LogisticRegression
    from sklearn.tree import DecisionTreeClassifier
    from threadpoolctl import threadpool_limits

    if model == "tree":
        start = int(seeds.generator(seed, 1).integers(2**31))
        return DecisionTreeClassifier(min_samples_leaf=5, random_state=start).fit(values, target), True
    with warnings.catch_warnings(), threadpool_limits(limits=1):
        # Whether the fit settled is seen from its slope: filters of warnings are shared by the threads of a search.
        warnings.simplefilter("ignore", ConvergenceWarning)
        fitted = LogisticRegression(max_iter=MOST_STEPS).fit(values, target)
    return fitted, _has_settled(fitted, values, target)


def _has_settled(fitted: Any, values: FloatArray, target: IntArray) -> bool:
    """Whether the penalised log-likelihood of a logistic regression is flat where its fit ended."""
    miss = (target[:, None] == fitted.classes_) - fitted.predict_proba(values)
    # Of two classes only the second has coefficients.
    miss = miss[:, 1:] if len(fitted.coef_) == 1 else miss
    slope = np.vstack([values.T @ miss - fitted.coef_.T / fitted.C, miss.sum(axis=0)])
    return bool(np.abs(slope).max() <= STEEPEST * len(values))
