"""Commands that list, install and make what metrics need."""
