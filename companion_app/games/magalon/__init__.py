"""Magalon on the screens."""
