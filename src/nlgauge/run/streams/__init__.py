"""Score more than fits in memory: in shards, by one or many processes, with equal results."""
