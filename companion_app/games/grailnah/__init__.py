"""Grailnah in the app: what lies around the board, drawing, drags, texts."""
