"""Play against agents at the terminal: questions, views, input, history, undo, save."""
