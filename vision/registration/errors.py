"""What goes wrong when the board is looked for."""

from __future__ import annotations

from engine.errors import BoardwardenError


class BoardNotFound(BoardwardenError):
    """The board is not (surely) in the picture; the sentence names the remedy."""
