"""Agents compete: schedules, games, results, standings, statistics, reports."""

from .runner import run

__all__ = ["run"]
