"""How well metrics agree with people, by level, with intervals and tests."""
