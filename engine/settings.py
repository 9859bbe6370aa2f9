"""Every setting: typed, defaulted and described in one place; stored as TOML, replaced whole.

Where the technology page lost a value, the field's usual one stands and docs/LOG.md records
the choice.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields, is_dataclass
from pathlib import Path
from typing import Any

import tomlkit
from tomlkit.exceptions import TOMLKitError

from engine.errors import SettingsRejected


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeechSettings:
    """Speech detection (Silero), thresholds with hysteresis as its authors recommend."""

    enter: float = 0.5
    leave: float = 0.35
    speech_ms: int = 96
    """Speech this long opens a turn; shorter noises do not."""
    pause_ms: int = 96
    """Silence this long is a pause whose onset is judged."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GateSettings:
    """The AND-gate and the commit."""

    theta_end: float = 0.6
    theta_deep: float = 0.5
    commit_ms: int = 700
    """Silence after which the turn is over."""
    sure_commit_ms: int = 560
    """The same when the turn end is nearly certain (`sure_end`)."""
    sure_end: float = 0.95
    branch_timeout_s: float = 20.0


@dataclass(frozen=True, slots=True, kw_only=True)
class DecoderSettings:
    """The language model and how it is decoded."""

    model: str = "smollm2-135m-instruct-q4_1"
    exit_layer: int = 10
    draft_tokens: int = 1
    speculation: str = "always"
    """always, never, or auto (measured choice)."""
    exit_policy: str = "verified"
    """verified and always-deep are lossless; token-confidence, dialogue-act, always-shallow not."""
    exit_threshold: float = 0.5
    """Probability under which token-confidence, from which on dialogue-act, goes deep."""
    threads: int = 2
    context_tokens: int = 2048
    reply_tokens: int = 48
    system_prompt: str = "You are a helpful voice assistant. Answer in one or two short sentences."


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """All settings of the application."""

    pads: bool = True
    microphone: str | None = None
    data_folder: str | None = None
    """Where corpora for training and evaluation lie (also `PADS_DATA`)."""
    record_audio: bool = False
    speech: SpeechSettings = field(default_factory=SpeechSettings)
    gate: GateSettings = field(default_factory=GateSettings)
    decoder: DecoderSettings = field(default_factory=DecoderSettings)


def load(path: Path) -> Settings:
    """Settings from a TOML file; defaults where the file or a key is missing.

    Unknown keys are ignored here and kept by `save`. A file that is not TOML, or a value of
    the wrong type, raises `SettingsRejected` and leaves the file as it is.
    """
    if not path.exists():
        return Settings()
    try:
        table = tomlkit.parse(path.read_text("utf-8")).unwrap()
    except (TOMLKitError, UnicodeDecodeError, OSError) as exc:
        raise SettingsRejected(
            f"The settings file {path} cannot be read ({exc})",
            remedy="correct it, or delete it to return to the defaults",
        ) from exc
    settings: Settings = _build(Settings, table, "")
    return settings


def save(settings: Settings, path: Path) -> None:
    """Write settings atomically, keeping keys and comments this version does not know."""
    document = tomlkit.parse(path.read_text("utf-8")) if path.exists() else tomlkit.document()
    _merge(settings, document)
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(".partial")
    partial.write_text(tomlkit.dumps(document), "utf-8")
    partial.replace(path)


def _build(kind: type[Any], table: dict[str, Any], prefix: str) -> Any:
    defaults = kind()
    values: dict[str, Any] = {}
    for item in fields(kind):
        default = getattr(defaults, item.name)
        if item.name not in table:
            continue
        given, name = table[item.name], prefix + item.name
        if is_dataclass(default):
            if not isinstance(given, dict):
                raise _rejected(name, given)
            values[item.name] = _build(type(default), given, name + ".")
        else:
            values[item.name] = _checked(name, given, default)
    return kind(**values)


def _checked(name: str, given: Any, default: Any) -> Any:
    if isinstance(default, float) and type(given) is int:
        return float(given)
    expected = str if default is None else type(default)
    if type(given) is not expected:
        raise _rejected(name, given)
    return given


def _rejected(name: str, given: Any) -> SettingsRejected:
    return SettingsRejected(
        f"The setting {name} = {given!r} has the wrong type",
        remedy="correct it in the settings file, or delete the line to use the default",
    )


def _merge(values: Any, table: Any) -> None:
    for item in fields(values):
        value = getattr(values, item.name)
        if is_dataclass(value):
            if item.name not in table:
                table[item.name] = tomlkit.table()
            _merge(value, table[item.name])
        elif value is None:
            table.pop(item.name, None)
        else:
            table[item.name] = value
