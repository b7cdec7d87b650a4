"""The rules as compiled kernels with the tables they read, independent of APIs, files and pictures."""
