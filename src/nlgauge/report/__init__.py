"""Tables of scores as people and programs read them."""
