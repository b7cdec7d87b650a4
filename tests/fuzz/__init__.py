"""Fuzzers: random input for everything that takes some; it is used rightly or refused in one sentence.

    python -m tests.fuzz --seconds 3600         # or `make fuzz`: every area in turn, and a table at the end
    python -m tests.fuzz saves --first 4711 --inputs 1      # one input again

An area is a module with a function `attempt(chance)`, which makes one input, hands it in, and returns whether
it was refused. What is not refused must be right: it plays on, or is read back as it was written. Every input
follows from its number alone.
"""
