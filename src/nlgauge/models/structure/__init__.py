"""The network that ships with the package and finds constituents and semantic roles."""
