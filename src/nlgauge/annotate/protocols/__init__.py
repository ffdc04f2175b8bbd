"""Protocols of human evaluation, one file each: the form, its check, and its judgements."""
