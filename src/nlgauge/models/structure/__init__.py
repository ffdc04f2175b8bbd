"""Find constituents and semantic roles with the network that ships with the package."""
