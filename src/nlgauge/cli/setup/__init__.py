"""Run the commands that list, install and make what metrics need."""
