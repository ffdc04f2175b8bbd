"""Read and write parses, trees and semantic roles."""
