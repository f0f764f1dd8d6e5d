"""Corpora as vectors: the document-term matrix, its k-anonymous form, what that lost and who can be found in it."""
