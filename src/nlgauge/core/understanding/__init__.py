"""How much of a text a metric understands, and what it says if that is little."""
