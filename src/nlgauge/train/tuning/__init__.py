"""Options of metrics are tuned to what people said: the result is a spec, not a file."""
