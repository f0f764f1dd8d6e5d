"""Attacks on sanitised documents: who can still be found by what is left in them."""
