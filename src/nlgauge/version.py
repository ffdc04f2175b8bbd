"""The version, for signatures and reports."""

VERSION = "0.1.0"
