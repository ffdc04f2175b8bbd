"""The design of a study: its file, its records, its tasks and who gets which."""
