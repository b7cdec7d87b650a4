"""A stand-in for Starlette in a browser: the routes of the server as they are, without sockets."""
