"""Measuring a board on a photograph of its empty face; no windows here."""
