"""Read files of any size in shards, in bounded memory."""
