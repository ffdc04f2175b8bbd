"""What can be said of metrics without judgements: QARLA, ORANGE, sets of metrics."""
