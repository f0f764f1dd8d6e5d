"""The published heuristic for fuzzy measures: one record after another pulls the measure its way."""

from __future__ import annotations

import time

import numpy as np

from discreet.attack.learning import measure as fuzzy
from discreet.attack.learning.blocks import Blocks, Shares
from discreet.attack.learning.forms import Choquet
from discreet.attack.learning.learn import Learned
from discreet.attack.learning.relink import relink_points
from discreet.attack.learning.setup import check_choice
from discreet.attack.learning.standard import check_aligned, standardise
from discreet.errors import BadParameter
from discreet.progress import SILENT, Progress
from discreet.seeds import Seed, generator
from discreet.table import FloatArray


def gradient(
    original: FloatArray,
    masked: FloatArray,
    *,
    passes: int = 30,
    rate: float = 0.1,
    seconds: float = 60.0,
    seed: Seed = None,
    progress: Progress = SILENT,
) -> Learned:
    """The fuzzy measure that gradient steps reach from |A| / d, as a lower bound of the worst case.

    For each record whose nearest masked row is not its own, the measure moves so that the integral of the right
    pair falls and that of the nearest wrong one rises; then it is made monotone again. The records come in
    random order, the rate shrinks from pass to pass, and the best measure met at the end of a pass is kept.
    `found` says what it re-identifies. The bound only leaves out the records that no measure can re-identify:
    use `learn` for a proof, and for more.

    After Abril, Navarro-Arribas and Torra, who adapted the heuristic least mean squares of Grabisch (1995).
    """
    began = time.monotonic()
    check_aligned(original, masked)
    check_choice("choquet", False, None, original.shape[1])
    if passes < 1 or not rate > 0:
        raise BadParameter(f"passes must be at least 1 and rate above 0; got {passes} and {rate}.")
    left, right = standardise(original), standardise(masked)
    blocks = Blocks(Choquet(left.shape[1], submodular=False), left, Shares.none(right, len(left)))
    random = generator(seed)
    theta = fuzzy.sizes(left.shape[1])[1:] / left.shape[1]
    best, most = theta, int(blocks.verify(theta).sum())
    for step in range(passes):
        if time.monotonic() - began > seconds or most == blocks.size:
            break
        progress(step, passes, f"found {most} of {blocks.size} records")
        theta = _one_pass(blocks, theta, rate / (1 + step), random)
        count = int(blocks.verify(theta).sum())
        if count > most:
            best, most = theta, count
    parameters = blocks.form.native(best)
    linked = relink_points(left, right, "choquet", parameters)
    bound = max(int(linked.sum()), int((~blocks.lost).sum()))
    return Learned(
        distance="choquet",
        metric=False,
        additivity=None,
        found=int(linked.sum()),
        bound=bound,
        optimal=int(linked.sum()) == bound,
        seconds=time.monotonic() - began,
        parameters=parameters,
        records=linked,
        learned_from=blocks.size,
        interval=None,
    )


def _one_pass(blocks: Blocks, theta: FloatArray, rate: float, random: np.random.Generator) -> FloatArray:
    """The measure after each record that can be won has had its say once."""
    for block in random.permutation(np.flatnonzero(~blocks.lost)):
        pull = blocks.worst_row(theta, int(block))
        if pull is not None:
            moved = np.concatenate([[0.0], theta + rate * pull])
            theta = fuzzy.monotone(np.minimum(moved, 1.0))[1:]
    return theta
