"""A study as a database: its tasks, annotators and answers, in SQLite or PostgreSQL."""
