"""A running game without a screen: one queue in, one immutable snapshot out.

Taps and readings of the eyes are handled one after another on the session's own thread, where
the rules run.  An action is on the disk before the snapshot that shows it is published.
"""

from __future__ import annotations

import json
import logging
import queue
import threading
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, Protocol

from companion_app import texts
from companion_app.eyes import OFF, Eyes
from companion_app.frames import FrameSlot
from companion_app.games.face import Face, TableView
from companion_app.lenience import Lenience
from companion_app.library import RESULT
from companion_app.news import News
from companion_app.sight import Pipeline
from companion_app.snapshot import CameraState, Hints, Snapshot
from companion_app.store import Recorder
from companion_app.taps import (
    AskHints,
    Begin,
    Choose,
    Command,
    Dismiss,
    Do,
    Drag,
    Refresh,
    Refuse,
    Repair,
    Seen,
    TakeAsIs,
)
from engine.action import Action
from engine.board import Board
from engine.game import Header, Room
from engine.observation import Observation
from engine.placement import PieceMove, Placement
from engine.record import Record, format_header, read_record, to_line
from engine.verdict import Choice, Message, Status

log = logging.getLogger(__name__)
WATCH_S = 0.5
Listener = Callable[[Snapshot], None]


class Referee(Protocol):
    """What the session needs of ``engine.referee.tracker.Tracker``."""

    @property
    def state(self) -> Any: ...
    def observe(self, observation: Observation) -> Iterable[Any]: ...
    def act(self, action: Action) -> Iterable[Any]: ...
    def choose(self, verdict_id: str, index: int) -> Iterable[Any]: ...
    def refuse(self, verdict_id: str) -> Iterable[Any]: ...
    def repair(self, index: int) -> Iterable[Any]: ...
    def amend(self, piece: str, to: tuple[str, ...]) -> Iterable[Any]: ...
    def set_cards(self, cards: Any) -> Iterable[Any]: ...


class Session:
    """One game: queue, referee, record and eyes.

    ``start`` begins the thread; ``post`` may be called from any thread and never blocks; ``close``
    returns within about ``timeout_s`` even when a camera read blocks for ever.  Listeners are
    called on the session's thread with each new snapshot.
    """

    def __init__(
        self,
        room: Room,
        board: Board,
        header: Header,
        referee: Referee,
        recorder: Recorder,
        face: Face,
        *,
        history: Sequence[Action] = (),
        open_pipeline: Callable[[], Pipeline] | None = None,
        cards: Any = None,
    ) -> None:
        self.board = board
        self.header = header
        self.face = face
        self.frames = FrameSlot()
        self._room = room
        self._referee = referee
        self._recorder = recorder
        self._cards = cards
        self._news = News(face)
        self._lenience = Lenience(header, referee, face)
        self._last_move: tuple[PieceMove, ...] = ()
        for action in history:
            self._news.recorded(action)
        self._lines = len(history)
        self._hints: Hints | None = None
        self._warned: str | None = None
        self._noted_winner: str | None = room.winner(referee.state)
        self._differences: tuple[PieceMove, ...] = ()
        self._queue: queue.SimpleQueue[Command | None] = queue.SimpleQueue()
        self._listeners: list[Listener] = []
        self._seen_lock = threading.Lock()
        self._seen: Observation | None = None
        self._closing = threading.Event()
        self._serial = 0
        self._shown_camera = OFF
        self.eyes = (
            Eyes(open_pipeline, self.frames, self._on_observation, lambda: self.post(Refresh()))
            if open_pipeline is not None
            else None
        )
        self._placement: Placement = room.placement(referee.state)
        self._snapshot = self._build()
        self._thread = threading.Thread(target=self._run, name="session", daemon=True)

    # --- for the interface ---------------------------------------------------------------------

    @property
    def snapshot(self) -> Snapshot:
        """The newest snapshot."""
        return self._snapshot

    @property
    def kept(self) -> bool:
        """Whether this game has a record on the disk."""
        return self._recorder.path is not None

    @property
    def record_path(self) -> Path | None:
        """The file of this game's record; None for a game that is not kept."""
        return self._recorder.path

    @property
    def behind(self) -> bool:
        """Whether what the eyes saw last still waits to be judged."""
        with self._seen_lock:
            return self._seen is not None

    def record_text(self) -> str:
        """The record of a game that is not kept, as it would stand in a file."""
        head = to_line(format_header(self.header))
        return "\n".join([head, *self._recorder.unwritten]) + "\n"

    def record(self) -> Record:
        """This game's record up to now; raises RecordError where it cannot be read."""
        lines = [json.loads(line) for line in self._recorder.unwritten]
        late = tuple(Action.from_json(line) for line in lines if "do" in line)
        path = self._recorder.path
        earlier = read_record(path).actions if path is not None and path.is_file() else ()
        return Record(self.header, (*earlier, *late))

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Calls ``listener`` with every later snapshot, on the session's thread; what is returned
        ends that."""
        self._listeners = [*self._listeners, listener]
        return lambda: self._unlisten(listener)

    def _unlisten(self, listener: Listener) -> None:
        self._listeners = [known for known in self._listeners if known is not listener]

    def start(self, *, tell: Message | None = None) -> None:
        """Begins the game's thread and opens the eyes; ``tell``: a first sentence to show."""
        if tell is not None:
            self._news.tell(tell)
        self.post(Begin())
        self._thread.start()
        if self.eyes is not None:
            self.eyes.start()

    def post(self, command: Command) -> None:
        """Queues a command; from any thread, without waiting."""
        self._queue.put(command)

    def pause(self) -> None:
        """Lets the camera go; the game stays (Android's ``on_pause``)."""
        if self.eyes is not None:
            self.eyes.stop(0.3)

    def resume(self) -> None:
        """Opens the camera again."""
        if self.eyes is not None:
            self.eyes.start()

    def close(self, timeout_s: float = 2.0) -> None:
        """Ends the threads; what they still wait for is abandoned after ``timeout_s`` seconds."""
        self._closing.set()
        self._queue.put(None)
        if self.eyes is not None:
            self.eyes.stop(timeout_s / 2)
        if self._thread.is_alive():
            self._thread.join(timeout_s / 2)
        self._recorder.close()

    # --- the session's thread ------------------------------------------------------------------

    def _on_observation(self, observation: Observation) -> None:
        with self._seen_lock:
            waiting = self._seen is not None
            self._seen = observation
        if not waiting:
            self.post(Seen(observation))

    def _run(self) -> None:
        while not self._closing.is_set():
            try:
                command = self._queue.get(timeout=WATCH_S)
            except queue.Empty:
                saved = self._recorder.trouble is not None and self._recorder.flush()
                if saved or self._camera() != self._shown_camera:
                    self._publish()
                continue
            if command is None:
                return
            try:
                changed = self._handle(command)
            except Exception:
                log.exception("a command failed: %r", command)
                self._news.tell(texts.message("trouble.inner"))
                changed = True
            self._coach()
            if changed or self._camera() != self._shown_camera:
                self._publish()

    def _handle(self, command: Command) -> bool:
        """Handles one command; tells whether there may be something new to show."""
        match command:
            case Seen():
                return self._see(command)
            case Do(action):
                self._hints = None
                self._act(action)
            case Drag():
                self._hints = None
                self._drag(command)
            case Choose(question, index):
                self._choose(question, index)
            case Refuse(verdict):
                self._take(self._referee.refuse(verdict))
                self._news.withdraw(verdict)
            case AskHints(piece, shown):
                self._hints = None if piece is None else self._find_hints(piece, shown)
            case Dismiss():
                self._news.dismiss()
            case TakeAsIs():
                self._take_as_is()
            case Repair(index):
                self._repair(index)
            case Begin():
                begin = getattr(self._referee, "begin", None)
                self._take(begin() if begin is not None else ())
                if self._cards is not None:
                    self._take(self._referee.set_cards(self._cards))
            case Refresh():
                self._recorder.flush()
        return True

    def _see(self, command: Seen) -> bool:
        with self._seen_lock:
            newest, self._seen = self._seen, None
        events = list(self._referee.observe(newest or command.observation))
        self._take(events)
        differences = tuple(getattr(self._referee, "differences", ()))
        changed = bool(events) or differences != self._differences
        self._differences = differences
        return changed

    def _choose(self, question: str, index: int) -> None:
        """An answer goes to the referee; one to a question about a tap is done here."""
        events = list(self._referee.choose(question, index))
        actions = self._news.answer(question, index)
        self._take(events)
        for action in actions if not events else ():
            self._act(action)

    def _act(self, action: Action) -> None:
        self._take(self._referee.act(action), tapped=True)

    def _take(self, events: Iterable[Any], *, tapped: bool = False) -> None:
        """Writes down and shows what the referee reports."""
        accepted = False
        for event in events:
            action = self._news.hear(event, tapped=tapped)
            note = self._lenience.hear(event)
            if note is not None:
                self._recorder.write(note.to_json())
            if action is not None:
                accepted = True
                self._lines += 1
                self._recorder.write(action.to_json())
        if accepted:
            self._find_last_move()
            self._note_result()
            self._tell_eyes("accepted", self._placement)

    def _note_result(self) -> None:
        """The end of the game is remembered in the record, so that lists can show it."""
        state = self._referee.state
        winner = self._room.winner(state)
        if winner != self._noted_winner:
            self._noted_winner = winner
            if winner is not None:
                result = {"winner": winner, "scores": self._room.scores(state)}
                self._recorder.write(Action(None, "note", {RESULT: result}).to_json())

    def _find_last_move(self) -> None:
        """What stands elsewhere than before the last actions."""
        before, after = self._placement, self._room.placement(self._referee.state)
        self._placement = after
        moves = [
            PieceMove(piece, before.pieces.get(piece, ()), spots)
            for piece, spots in after.pieces.items()
            if before.pieces.get(piece, ()) != spots
        ]
        if moves:
            self._last_move = tuple(self.face.main_moves(moves))

    def point_at_corner(self, at: tuple[float, float]) -> None:
        """Tells the eyes where the board's upper left corner lies: (0, 0) to (1, 1) of the picture,
        from its top-left."""
        self._tell_eyes("told_corner", at)

    def _tell_eyes(self, what: str, value: object) -> None:
        """Lets a pipeline that wants to know it learn something, as what the board shows now."""
        pipeline = self.eyes.pipeline if self.eyes is not None else None
        hears = getattr(pipeline, what, None)
        if hears is not None:
            hears(value)

    def _drag(self, command: Drag) -> None:
        origin = self._placement.pieces.get(command.piece, ())
        if origin == command.spots:
            return
        if command.correct:
            move = PieceMove(command.piece, origin, command.spots)
            amended = self._referee.amend(command.piece, command.spots)
            self._take(amended or self._referee.act(self.face.correction((move,))), tapped=True)
        else:
            move = PieceMove(command.piece, origin, command.spots)
            done = self._referee.act(self.face.drag(command.piece, command.spots, self._table()))
            self._take(self._lenience.dragged(list(done), move), tapped=True)
            self._news.refused_drag(move)

    def _repair(self, index: int) -> None:
        """What the referee proposes against a difference between table and state."""
        self._take(self._referee.repair(index), tapped=True)

    def _take_as_is(self) -> None:
        sentence = self._news.sentence
        moves = (sentence.differences if sentence is not None else ()) or self._differences
        stands = self._lenience.let_stand(moves) if sentence is not None else ()
        if stands:
            self._take(stands, tapped=True)
        elif moves:
            self._act(self.face.correction(moves))

    def _repairs(self) -> tuple[Choice, ...]:
        return tuple(getattr(self._referee, "repairs", ()))

    def _coach(self) -> None:
        """With a new warning a coach shows what is possible, after the warning itself."""
        sentence = self._news.sentence
        warned = sentence if sentence is not None and sentence.status is Status.ILLEGAL else None
        ident = warned.id if warned is not None else None
        if ident == self._warned:
            return
        self._warned = ident
        piece = self._lenience.shown_piece(warned.differences) if warned is not None else None
        if piece is not None:
            self.post(AskHints(piece, shown=True))
        elif self._hints is not None and self._hints.shown:
            self._hints = None

    def _find_hints(self, piece: str, shown: bool) -> Hints | None:
        return Hints(piece, frozenset(self._room.hints(self._referee.state, piece)), shown)

    # --- snapshots -----------------------------------------------------------------------------

    def _camera(self) -> CameraState:
        return self.eyes.state() if self.eyes is not None else OFF

    def _table(self) -> TableView:
        state = self._referee.state
        return self.face.table(
            self._room.position(state),
            self.header,
            self.board,
            to_act=self._room.to_act(state),
            winner=self._room.winner(state),
        )

    def _build(self) -> Snapshot:
        self._shown_camera = self._camera()
        self._serial += 1
        return Snapshot(
            serial=self._serial,
            header=self.header,
            placement=self._placement,
            table=self._table(),
            camera=self._shown_camera,
            last_move=self._last_move,
            sentence=self._news.sentence,
            question=self._news.question,
            differences=self._differences,
            repairs=tuple(c.text for c in self._repairs()) if self._differences else (),
            log=self._news.log,
            hints=self._hints,
            storage=self._recorder.trouble,
            can_undo=self._lines > 0,
            lines_written=self._lines,
        )

    def _publish(self) -> None:
        self._snapshot = snapshot = self._build()
        for listener in self._listeners:
            try:
                listener(snapshot)
            except Exception:
                log.exception("a listener failed")
