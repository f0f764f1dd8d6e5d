"""What random masks draw (swaps, moves between categories, posteriors), and weights raked to totals."""
