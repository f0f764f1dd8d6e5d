"""Distances learned from known pairs: their forms, the programs that fit them, and what bounds them."""
