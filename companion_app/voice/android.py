"""Android's own text-to-speech, through pyjnius.  Never run on a device so far."""

from __future__ import annotations

import logging
from typing import Any

log = logging.getLogger(__name__)


class AndroidMouth:
    """A ``Mouth`` on ``android.speech.tts.TextToSpeech``."""

    name = "Android"

    def __init__(self, engine: Any, locale: Any, bundle: Any) -> None:
        self._engine, self._locale, self._bundle = engine, locale, bundle

    @staticmethod
    def open() -> AndroidMouth | None:
        """The service; None where the device has none."""
        try:
            from jnius import autoclass

            activity = autoclass("org.kivy.android.PythonActivity").mActivity
            engine = autoclass("android.speech.tts.TextToSpeech")(activity, None)
            return AndroidMouth(
                engine, autoclass("java.util.Locale"), autoclass("android.os.Bundle")
            )
        except Exception:  # any fault of the bridge: tones will do
            log.exception("no voice on this device")
            return None

    def say(self, text: str, language: str, volume: float, *, urgent: bool = False) -> None:
        """See ``Mouth``."""
        self._engine.setLanguage(self._locale(language))
        params = self._bundle()
        params.putFloat("volume", volume)
        # QUEUE_FLUSH is 0, QUEUE_ADD is 1.
        self._engine.speak(text, 0 if urgent else 1, params, "boardwarden")

    def close(self) -> None:
        """See ``Mouth``."""
        self._engine.shutdown()
