"""Compiled numeric loops: arrays in, arrays out, nothing of the domain.

Numba is imported only when a kernel is first used, so that `import discreet` stays quick.
"""
