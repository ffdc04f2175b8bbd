"""Trained weights of nlgauge, as files in `data`; nlgauge finds and checks them itself."""
