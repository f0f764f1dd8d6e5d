"""Groups of records close to each other: MDAV, optimal univariate groups, fuzzy c-means, dendrograms."""
