"""Loss: how much use a masked table has kept."""

from discreet.loss.probabilistic import pil
from discreet.loss.squares import sse
from discreet.loss.statistics import il, il1, il1s, il2, il3, il4, il5

__all__ = ["il", "il1", "il1s", "il2", "il3", "il4", "il5", "pil", "sse"]
