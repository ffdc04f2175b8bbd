"""Language models as judges, asked at a server that the user names."""
