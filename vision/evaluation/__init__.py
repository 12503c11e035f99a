"""Measuring the eyes where the truth is known: pictures and films, pieces and dice."""
