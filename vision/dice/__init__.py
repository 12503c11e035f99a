"""Dice anywhere in view: found with or without the board's pose, and their pips read."""
