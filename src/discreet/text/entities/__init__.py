"""Entities: people, organisations, places, numbers and the like, with all the ways a corpus mentions them."""
