"""A game for one person at a terminal: what is asked, seen, typed, told, undone and saved."""
