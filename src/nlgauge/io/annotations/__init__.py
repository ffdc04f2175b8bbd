"""Readers and writers of parses, trees and semantic roles."""
