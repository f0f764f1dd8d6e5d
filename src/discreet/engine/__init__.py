"""Where work runs: on datasets larger than memory, in threads or on a cluster."""

from discreet.engine.checking import fault_in
from discreet.engine.cluster import Cluster
from discreet.engine.judging import as_it_is, as_read, judging, with_source
from discreet.engine.protecting import refuse_what_cannot_be_masked, save_dataset_release
from discreet.engine.running import Engine, Threads

__all__ = [
    "Cluster",
    "Engine",
    "Threads",
    "as_it_is",
    "as_read",
    "fault_in",
    "judging",
    "refuse_what_cannot_be_masked",
    "save_dataset_release",
    "with_source",
]
