"""Loss of structure: how the variance of the columns together is spread over directions."""

from __future__ import annotations

import numpy as np

from discreet import registry
from discreet.errors import NotComputable
from discreet.loss.compared import WEIGHTED, comparable_numbers, loss_of
from discreet.loss.moments import moments
from discreet.parameters import NUMERIC_KEYS, Compared
from discreet.results import Loss
from discreet.table import Table

MEANING = (
    "the share of the variance that has moved from one principal component to another or is gone: 0 is that "
    "components weigh what they did"
)


@registry.loss(
    family="structure",
    title="Eigenvalues",
    unit=registry.FROM_0_TO_1,
    splits=registry.Split.SUMS,
    in_portions=True,
    scales=registry.NUMERIC,
    missing=f"left out, pair by pair of columns; {WEIGHTED}",
    meaning=MEANING,
    cites=("Jolliffe, Principal Component Analysis, Springer, 2002",),
)
def eigenvalues(original: Table, masked: Table, *, columns: Compared = NUMERIC_KEYS) -> Loss:
    """Half the sum of the absolute changes of the eigenvalues of the correlation matrix, over their number.

    The eigenvalues, from large to small, say how much of the standardised columns' variance each principal component
    carries; all that moves from one to another counts once. Masking that adds independent noise flattens them. Columns
    that are constant in the original are left out and counted; one that the masking made constant carries no variance
    any more. The details hold both tables' eigenvalues.

    With eigenvalues l and l' of n columns it is the sum over j of |l_j - l'_j| / (2 n).

    >>> masked = dc.mask.microaggregate(table, k=5).table
    >>> print(dc.loss.eigenvalues(table, masked))
    eigenvalues: 0.01846
    """
    true, published = comparable_numbers(original, masked, columns)
    old, new = moments(true, original.weights()), moments(published, masked.weights())
    known = np.isfinite(old.correlation).all(axis=1) & np.isfinite(new.correlation).all(axis=1)
    used = np.flatnonzero(~old.constant & known)
    if len(used) < 2:
        raise NotComputable(
            "eigenvalues: fewer than two columns vary in the original and have values in both."
        )
    before, after = (np.linalg.eigvalsh(each.correlation[np.ix_(used, used)])[::-1] for each in (old, new))
    # The sum over j of |l_j - l'_j| / (2 n): what moved is taken from one eigenvalue and given to another.
    return loss_of(
        "eigenvalues",
        float(np.abs(before - after).sum() / (2 * len(used))),
        MEANING,
        left_out=len(columns) - len(used),
        details={"original": before.tolist(), "masked": after.tolist()},
    )
