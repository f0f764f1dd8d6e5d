"""Equal rows and how many there are of each: classes, distinct rows, compatible rows, minimal uniques."""
