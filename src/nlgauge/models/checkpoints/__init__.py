"""Run metrics whose weights somebody else trained, from folders that users have."""
