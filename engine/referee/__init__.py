"""The referee: explains what is seen by what the rules allow, and keeps track of a game.

``Tracker`` is the door: it takes observations and taps and gives events.
"""
