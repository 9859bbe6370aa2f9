"""Errors a user may see: one sentence that names the thing, and its remedy."""

from __future__ import annotations


class PadsError(Exception):
    """Base of every expected failure.

    `thing` names what failed in plain words, `remedy` says what the user can do. `str()` gives
    both as one sentence, ready for the command line and for the window.
    """

    def __init__(self, thing: str, *, remedy: str) -> None:
        super().__init__(thing, remedy)
        self.thing = thing
        self.remedy = remedy

    def __str__(self) -> str:
        return f"{self.thing}: {self.remedy}"


class AudioUnavailable(PadsError):
    """An audio file or input device cannot be read."""


class MicrophoneLost(AudioUnavailable):
    """A running input device stopped delivering audio."""


class VoiceUnavailable(PadsError):
    """Replies cannot be spoken."""


class ModelUnavailable(PadsError):
    """A model file is missing, truncated, altered or of an unsupported kind."""


class DataUnavailable(PadsError):
    """A corpus or data folder is missing or malformed."""


class DecoderFailed(PadsError):
    """The decoder process died, hung, or refused a request."""


class SettingsRejected(PadsError):
    """A settings file or value cannot be used."""


class JobFailed(PadsError):
    """A background job could not be started or did not produce its result."""


class HistoryUnavailable(PadsError):
    """A past session cannot be read or deleted."""


class ExportFailed(PadsError):
    """A session cannot be exported."""
