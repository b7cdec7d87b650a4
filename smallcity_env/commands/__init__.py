"""One file per command; cli.py lists them."""
