"""Compiled numeric loops: arrays in, arrays out, nothing of the domain.

A folder for each problem; at the top what all of them share. Numba is imported only when a kernel is first used, so
that `import discreet` stays quick.
"""
