"""Run the commands that need human judgements, or say how good metrics are."""
