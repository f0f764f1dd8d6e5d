"""A search engine over documents, and what it tells of a corpus before and after it was sanitised."""
