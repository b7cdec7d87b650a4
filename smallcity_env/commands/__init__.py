"""One file for each command; cli.py has the table of them."""
