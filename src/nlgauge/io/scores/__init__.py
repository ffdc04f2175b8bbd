"""Readers and writers of scores that exist already."""
