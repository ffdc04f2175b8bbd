"""Realise dependency trees of words as sentences, as FERGUS does (Bangalore et al., 2000)."""
