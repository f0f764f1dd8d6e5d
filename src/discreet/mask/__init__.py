"""Masking: functions from a table to a masked one, one file a family."""

from discreet.mask.camouflage import camouflage
from discreet.mask.coding import bottom_code, top_code
from discreet.mask.compress import compress
from discreet.mask.copula import synthesise_copula
from discreet.mask.distort import distort
from discreet.mask.fuzzy import fuzzy_microaggregate
from discreet.mask.generalisation import generalise
from discreet.mask.impute import impute
from discreet.mask.local_generalisation import generalise_locally
from discreet.mask.massc import massc
from discreet.mask.microaggregate import microaggregate
from discreet.mask.noise import add_noise
from discreet.mask.partitioning import mondrian
from discreet.mask.pram import pram
from discreet.mask.recode import recode, recode_numbers
from discreet.mask.record_swap import record_swap
from discreet.mask.resample import k_resample, resample
from discreet.mask.rounding import round
from discreet.mask.sample import sample
from discreet.mask.semantic_aggregation import semantic_microaggregate
from discreet.mask.semantic_recoding import semantic_recode
from discreet.mask.semantic_resampling import semantic_resample
from discreet.mask.semantic_swapping import semantic_swap
from discreet.mask.suppress import suppress
from discreet.mask.swap import rank_swap
from discreet.mask.trees import synthesise_trees

__all__ = [
    "add_noise",
    "bottom_code",
    "camouflage",
    "compress",
    "distort",
    "fuzzy_microaggregate",
    "generalise",
    "generalise_locally",
    "impute",
    "k_resample",
    "massc",
    "microaggregate",
    "mondrian",
    "pram",
    "rank_swap",
    "recode",
    "recode_numbers",
    "record_swap",
    "resample",
    "round",
    "sample",
    "semantic_microaggregate",
    "semantic_recode",
    "semantic_resample",
    "semantic_swap",
    "suppress",
    "synthesise_copula",
    "synthesise_trees",
    "top_code",
]
