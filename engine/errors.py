"""Errors that reach a person: one clear sentence that names the remedy."""

from __future__ import annotations


class BoardwardenError(Exception):
    """Bad input or a missing thing, told in one sentence; the command line exits with status 2."""


class BoardFileError(BoardwardenError):
    """A board file that cannot be used, with what is wrong and where."""


class RecordError(BoardwardenError):
    """A game record that cannot be read; ``line`` is the 1-based line number, 0 for the file."""

    def __init__(self, message: str, line: int = 0) -> None:
        super().__init__(message)
        self.line = line


class PositionError(BoardwardenError):
    """A position that no game can reach, with the reason."""
