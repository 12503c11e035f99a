"""What a session makes of a refusal, by the strictness of its game."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from companion_app.games.face import Face
from companion_app.review import REFUSED
from engine.action import Action
from engine.game import Header
from engine.placement import PieceMove
from engine.referee.strictness import Strictness, strictness_of
from engine.verdict import Status, Verdict


class Lenience:
    """Remembers the last refusal of one game.  Only the session's thread touches it."""

    def __init__(self, header: Header, referee: Any, face: Face) -> None:
        self._strictness = strictness_of(header)
        self._referee, self._face = referee, face
        self._refused: Verdict | None = None

    @property
    def warns(self) -> bool:
        """Whether a refusal is a warning: what is possible is shown with it."""
        return self._strictness is Strictness.COACH

    def hear(self, event: Any) -> Action | None:
        """Takes in an event of the referee; of a refused move the note for the record."""
        verdict = getattr(event, "verdict", None)
        if verdict is None or verdict.status is not Status.ILLEGAL or not verdict.actions:
            return None
        self._refused = verdict
        said = {
            REFUSED: verdict.actions[-1].to_json(), "rule": verdict.rule,
            "message": verdict.message.text,
        }  # fmt: skip
        return Action(verdict.player, "note", said)

    def dragged(self, events: Sequence[Any], move: PieceMove) -> Sequence[Any]:
        """What a drag leads to: the scorekeeper lets a refused one stand."""
        refused = next((e.verdict for e in events if _refuses(e)), None)
        if refused is None or self._strictness is not Strictness.SCOREKEEPER:
            return events
        return self._allow(refused, (move,)) or events

    def let_stand(self, moves: tuple[PieceMove, ...]) -> Sequence[Any]:
        """After the tap "it stays so": as a house rule, where the game is not played with a referee,
        who only corrects; then and where nothing was refused this gives no events."""
        if self._strictness is Strictness.REFEREE or self._refused is None:
            return ()
        return self._allow(self._refused, moves)

    def _allow(self, verdict: Verdict, moves: tuple[PieceMove, ...]) -> Sequence[Any]:
        allow = getattr(self._referee, "allow", None)
        return () if allow is None else list(allow(verdict, moves))

    def shown_piece(self, moves: Iterable[PieceMove]) -> str | None:
        """Of refused moves the piece whose possible moves a coach shows; None for other games."""
        main = self._face.main_moves(tuple(moves)) if self.warns else ()
        return main[0].piece if main else None


def _refuses(event: Any) -> bool:
    verdict = getattr(event, "verdict", None)
    return verdict is not None and verdict.status is Status.ILLEGAL and bool(verdict.actions)
