"""The game for language models: a seat's view in words, and the doors to it (docs/models.md)."""
