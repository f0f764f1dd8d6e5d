"""An audit of discreet from outside: it runs the commands as a user would, and checks what they leave.

Nothing here imports discreet: what is true of a release is found in its files, with polars and a few lines.
"""
