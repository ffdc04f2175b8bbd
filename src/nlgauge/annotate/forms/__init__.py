"""Parts of a form: what annotators see and fill in, and how it is read and checked."""
