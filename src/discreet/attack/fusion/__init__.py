"""Several releases of the same people, put together."""

from discreet.attack.fusion.fuse import coalition
from discreet.attack.fusion.negation import Negation
from discreet.attack.fusion.results import Fused, Rebuilt

__all__ = ["Fused", "Negation", "Rebuilt", "coalition"]
