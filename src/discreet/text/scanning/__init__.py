"""Looking through files as they were written for what must not be in them; nothing here knows how they were written."""
