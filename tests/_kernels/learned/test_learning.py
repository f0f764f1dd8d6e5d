"""Once all is ready for a distance, learning it compiles nothing more."""

from __future__ import annotations

import subprocess
import sys

import pytest

CODE = """
import numpy as np
from discreet._kernels.learned.learning import ready_to_learn
from discreet._kernels.warm import cold
from discreet.attack.learning.learn import learn
from discreet.attack.learning.relink import KERNELS

ready_to_learn(KERNELS["weighted"])
ready_to_learn(KERNELS["{distance}"])
before = cold()
original = np.random.default_rng(0).normal(size=(30, 3))
masked = original + 0.5 * np.random.default_rng(1).normal(size=(30, 3))
learn(original, masked, distance="{distance}", seconds=60, seed=0)
raise SystemExit(sorted(set(before) - set(cold())) or 0)
"""


@pytest.mark.parametrize("distance", ["weighted", "owa", "choquet", "bilinear"])
def test_learning_leads_to_no_kernel_that_was_not_made_ready(distance: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", CODE.format(distance=distance)], check=False, capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")
