"""What is scored and judged: corpora, judgements, and the leaf types of annotations."""
