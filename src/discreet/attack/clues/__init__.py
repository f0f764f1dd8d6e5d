"""What published masking steps give away, one file for each kind of masking."""
