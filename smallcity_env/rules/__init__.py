"""The rules as compiled kernels with the tables they read; nothing here knows of APIs, files or pictures."""
