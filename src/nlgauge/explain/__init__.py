"""Why a segment got its score: the traces that metrics give, and how they are made."""
