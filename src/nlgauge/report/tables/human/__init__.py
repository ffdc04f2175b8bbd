"""Make the tables of what people judged: agreement, annotators, studies, analyses."""
