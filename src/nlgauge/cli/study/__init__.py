"""The steps of `nlgauge annotate`, one file each."""
