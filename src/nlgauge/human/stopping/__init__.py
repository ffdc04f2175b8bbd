"""When enough people have judged: decisions that hold at every look, and power before a study."""
