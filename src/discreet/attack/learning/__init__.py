"""Learned linkage: the worst case that an intruder's distance can reach, with a proof.

`learn` finds the parameters of a distance that re-identify the most records; `relink` counts under given
parameters; `gradient` is the published heuristic for fuzzy measures; `hold_out` learns on known pairs and tests
on the others; `key_columns` says which columns, pairs and sets leak, and `charts` draws it.
"""
