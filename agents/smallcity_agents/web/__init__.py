"""Small City in the browser: tables on disk, what each seat may see, and the server."""
