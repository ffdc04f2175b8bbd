"""The version, for the package, signatures and reports."""

__version__ = "0.1.0"
