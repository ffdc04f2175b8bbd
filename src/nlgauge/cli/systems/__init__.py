"""Commands that run simple systems, and the experiments of papers."""
