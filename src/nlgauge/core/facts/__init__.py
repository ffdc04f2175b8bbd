"""Facts that library, commands and documentation share: tasks, criteria, choices, defaults."""
