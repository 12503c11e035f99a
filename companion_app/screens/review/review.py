"""After the game, or in the middle of it: scores, curve, what was caught, replay, notes."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from kivy.lang import Builder
from kivy.properties import BooleanProperty, StringProperty
from kivy.uix.widget import Widget

from companion_app import export, texts
from companion_app.busy import Progress
from companion_app.games import face_of
from companion_app.games.face import Face
from companion_app.opening import room_of
from companion_app.review import Review, review
from companion_app.screens.page import Page
from companion_app.screens.review.curve import Curve
from companion_app.screens.review.replay import ReplayPane
from companion_app.screens.review.sheet import ScoreSheet
from companion_app.texts import game_title, show, t
from companion_app.widgets.rows import Row, RowList
from engine.errors import BoardwardenError, NewerRecordError
from engine.game import Room
from engine.record import Record, find_board, read_record

Builder.load_file(str(Path(__file__).with_suffix(".kv")))


class ReviewScreen(Page):
    """Looks back on the running game, or on the record of ``path``."""

    TABS = ("scores", "curve", "caught", "replay", "notes")
    title = StringProperty("")
    said = StringProperty("")
    can_go_on = BooleanProperty(False)

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.path: Path | None = None
        self.review: Review | None = None
        self.face: Face | None = None
        self.room: Room | None = None
        self._tab = "scores"

    # --- reading -------------------------------------------------------------------------------

    def enter(self, **what: Any) -> None:
        """``path``: a past game's record, None for the running game; ``tab``: which part."""
        self.path = what.get("path")
        self._tab = what.get("tab", "scores")
        self.review, self.said, self.title = None, "", t("review.title")
        self.ids.body.clear_widgets()
        self.shell.work(t("review.reading"), self._read, self._show, self._failed)

    @property
    def ready(self) -> bool:
        """See ``Page``."""
        return self.review is not None or bool(self.said)

    def keep(self) -> dict[str, Any]:
        """See ``Page``."""
        return {"path": self.path, "tab": self._tab}

    def _read(self, progress: Progress) -> Review:
        session = self.shell.session
        if self.path is None and session is not None:
            record, board = session.record(), session.board
        elif self.path is not None:
            record = _record(self.path)
            board = find_board(record.header, self.path.parent)
        else:
            raise BoardwardenError(t("review.nothing"))
        return self._play(record, board, progress)

    def _play(self, record: Record, board: Any, progress: Progress) -> Review:
        header = record.header
        self.room, self.face = room_of(header.game), face_of(header.game)
        texts.choose_game(header.game, {p.colour: p.name for p in header.players})
        return review(record, self.room, board, self.face, progress.step)

    def _failed(self, problem: str) -> None:
        self.said = problem

    def _show(self, looked_back: Review) -> None:
        self.review = looked_back
        names = ", ".join(p.name for p in looked_back.header.players)
        self.title = f"{game_title(looked_back.header.game)}: {names}"
        self.can_go_on = looked_back.winner is None
        self.ids.report.disabled = self.path is not None
        self.ids.tabs.value = self._tab
        self.show_tab(self._tab)

    # --- parts ---------------------------------------------------------------------------------

    def show_tab(self, name: str) -> None:
        """One of the parts."""
        if self.review is None or not name:
            return
        self._tab = name
        parts: dict[str, Callable[[Review], Widget]] = {
            "scores": self._scores,
            "curve": lambda looked_back: Curve(review=looked_back),
            "caught": self._caught,
            "replay": self._replay,
            "notes": self._notes,
        }
        self.ids.body.clear_widgets()
        self.ids.body.add_widget(parts[name](self.review))

    def _scores(self, looked_back: Review) -> Widget:
        rows = []
        for player in looked_back.header.players:
            number = looked_back.moments[-1].numbers.get(player.colour)
            wins = (
                t("review.wins") if player.colour in (looked_back.winner or "").split(",") else ""
            )
            rows.append(
                Row(
                    text=f"{player.name}   {wins}".strip(), player=player.colour, chosen=True,
                    right_text="" if number is None else str(number),
                )
            )  # fmt: skip
        for line in looked_back.lines:
            change = "" if line.point.change is None else f"{line.point.change:+d}"
            round_ = "" if line.round is None else t("table.round", n=line.round)
            rule = t("table.rule", rule=line.point.rule) if line.point.rule else ""
            detail = " · ".join(p for p in (round_, rule) if p)
            rows.append(
                Row(
                    text=show(line.point.why), detail=detail, player=line.point.player,
                    right_text=change,
                )
            )  # fmt: skip
        return _list(rows, "")

    def _caught(self, looked_back: Review) -> Widget:
        rows = []
        names = {p.colour: p.name for p in looked_back.header.players}
        for caught in looked_back.caught:
            who = names.get(caught.player or "", "")
            round_ = "" if caught.round is None else t("table.round", n=caught.round)
            rule = t("table.rule", rule=caught.rule) if caught.rule else ""
            detail = " · ".join(p for p in (who, round_, rule) if p)
            rows.append(Row(text=show(caught.text), detail=detail, player=caught.player or ""))
        return _list(rows, t("review.none_caught"))

    def _notes(self, looked_back: Review) -> Widget:
        rows = [
            Row(text=r.text, detail="" if r.round is None else t("table.round", n=r.round))
            for r in looked_back.remarks
        ]
        return _list(rows, t("review.no_notes"))

    def _replay(self, looked_back: Review) -> Widget:
        assert self.face is not None and self.room is not None
        return ReplayPane(looked_back, self.face, self.room)

    # --- taking it along -----------------------------------------------------------------------

    def go_on(self) -> None:
        """Back to the running game, or the saved one again."""
        if self.path is None and self.shell.session is not None:
            self.shell.go("table")
        else:
            self.shell.resume_game(self.path)

    def export(self, form: str) -> None:
        """Saves the game in a form; says where it lies."""
        if self.review is None:
            return
        try:
            path = self._save(form, self.review)
        except BoardwardenError as error:
            self.said = texts.told(error)
        else:
            self.said = t("export.done", path=str(path))

    def _save(self, form: str, looked_back: Review) -> Path:
        store, session = self.shell.store, self.shell.session
        path = self.path or (session.record_path if session is not None else None)
        name = path.stem if path is not None else time.strftime("%Y%m%d-%H%M%S")
        if form == "text":
            return export.export_text(store, name, looked_back)
        if form == "picture":
            target = export.export_path(store, name, "png")
            export.saved(target, lambda: ScoreSheet(looked_back).save(target))
            return target
        record = path.read_bytes() if path is not None else session.record_text().encode()
        if form == "report" and session is not None:
            seen = session.eyes.recall.kept() if session.eyes is not None else ()
            return export.export_report(store, name, record, seen, self.shell.settings.to_json())
        target = export.export_path(store, name, "jsonl")
        export.saved(target, lambda: target.write_bytes(record))
        return target


def _record(path: Path) -> Record:
    """A record; raises BoardwardenError, also where only a newer version can read it."""
    try:
        record = read_record(path)
    except NewerRecordError:
        raise BoardwardenError(t("store.newer", name=path.name)) from None
    if record.header.game not in face_of.names():
        raise BoardwardenError(t("review.unknown", game=record.header.game))
    return record


def _list(rows: list[Row], empty: str) -> RowList:
    found = RowList()
    found.fill(rows or [Row(text=empty)])
    return found
