"""Where work runs: on datasets larger than memory, in threads or on a cluster."""

from discreet.engine.cluster import Cluster
from discreet.engine.protecting import refuse_what_cannot_be_masked, save_dataset_release
from discreet.engine.running import Engine, Threads

__all__ = ["Cluster", "Engine", "Threads", "refuse_what_cannot_be_masked", "save_dataset_release"]
