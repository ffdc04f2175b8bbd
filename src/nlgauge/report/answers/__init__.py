"""Say in a few sentences what a page is about to show."""
