"""Positions, actions and events in words, and parsing them back."""
