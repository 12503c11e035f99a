"""Carcassonne with Mage & Witch on the screens."""
