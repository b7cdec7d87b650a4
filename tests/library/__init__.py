"""Tests of the library of compiled code."""
