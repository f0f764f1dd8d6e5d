"""Loss: how much use a masked table has kept."""

from discreet.loss.categories import category_distance
from discreet.loss.classes import discernibility, kl_divergence
from discreet.loss.coefficients import regression
from discreet.loss.entropy import conditional_entropy
from discreet.loss.lost import lost
from discreet.loss.partitions import clustering
from discreet.loss.precision import certainty_penalty
from discreet.loss.prediction import classification
from discreet.loss.probabilistic import pil
from discreet.loss.propensity import pmse
from discreet.loss.semantic import semantic_sse
from discreet.loss.semantic_partitions import semantic_clustering
from discreet.loss.spectrum import eigenvalues
from discreet.loss.squares import sse
from discreet.loss.statistics import il, il1, il1s, il2, il3, il4, il5
from discreet.loss.tables import contingency

__all__ = [
    "category_distance",
    "certainty_penalty",
    "classification",
    "clustering",
    "conditional_entropy",
    "contingency",
    "discernibility",
    "eigenvalues",
    "il",
    "il1",
    "il1s",
    "il2",
    "il3",
    "il4",
    "il5",
    "kl_divergence",
    "lost",
    "pil",
    "pmse",
    "regression",
    "semantic_clustering",
    "semantic_sse",
    "sse",
]
