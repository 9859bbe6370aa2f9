"""Every setting: typed, defaulted and described in one place; stored as TOML, replaced whole.

Where the technology page lost a value, the field's usual one stands and docs/LOG.md records
the choice.
"""

from __future__ import annotations

import os
from collections.abc import MutableMapping
from contextlib import suppress
from dataclasses import Field, dataclass, field, fields, is_dataclass
from pathlib import Path
from typing import Any

import tomlkit
from tomlkit.exceptions import TOMLKitError

from engine import reading
from engine.errors import SettingsRejected

_LARGEST_BYTES = 2**20
"""A settings file has a few thousand; a parser would be busy with a large one for minutes."""


def _within(default: float, low: float, high: float) -> Any:
    """A number's default and the range, ends included, that a file may give."""
    return field(default=default, metadata={"low": low, "high": high})


def _one_of(default: str, *others: str) -> Any:
    """A word's default and the other words that a file may give."""
    return field(default=default, metadata={"choices": (default, *others)})


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeechSettings:
    """Speech detection (Silero), thresholds with hysteresis as its authors recommend."""

    enter: float = _within(0.5, 0, 1)
    leave: float = _within(0.35, 0, 1)
    speech_ms: int = _within(96, 32, 2000)
    """Speech this long opens a turn; shorter noises do not."""
    pause_ms: int = _within(96, 32, 2000)
    """Silence this long is a pause whose onset is judged."""
    partials: bool = True
    """Transcribe while someone speaks, and let the language model read on."""
    vap_model: str | None = None
    """A Voice Activity Projection in ONNX, its manifest beside it (engine/turntaking/vap.py)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GateSettings:
    """The AND-gate and the commit."""

    theta_end: float = _within(0.4, 0, 1)
    theta_deep: float = _within(0.5, 0, 1)
    patience: str = _one_of("balanced", "eager", "patient")
    """How long a silence may last before the turn counts as over."""
    branch_timeout_s: float = _within(20.0, 1, 600)


@dataclass(frozen=True, slots=True, kw_only=True)
class DecoderSettings:
    """The language model and how it is decoded."""

    model: str = "smollm2-135m-instruct-q4_1"
    exit_layer: int = _within(15, 1, 1000)
    draft_tokens: int = _within(1, 0, 31)
    exit_adapter: bool = True
    """Draft from a layer trained for this exit, where there is one."""
    draft_vocabulary: int = _within(8192, 256, 1_000_000)
    """Tokens a draft may propose, the most frequent ones."""
    temperature: float = _within(0.0, 0, 5)
    """0 is greedy: always the most probable token."""
    top_k: int = _within(40, 0, 1_000_000)
    top_p: float = _within(0.95, 0, 1)
    min_p: float = _within(0.05, 0, 1)
    seed: int = _within(42, 0, 2**32 - 1)
    """Of the random numbers that sampling draws."""
    speculation: str = _one_of("always", "never", "auto")
    """always, never, or auto (measured choice)."""
    exit_policy: str = _one_of(
        "verified", "always-deep", "token-confidence", "dialogue-act", "always-shallow"
    )
    """verified and always-deep are lossless; token-confidence, dialogue-act, always-shallow not."""
    exit_threshold: float = _within(0.5, 0, 1)
    """Probability under which token-confidence, from which on dialogue-act, goes deep."""
    threads: int = _within(2, 1, 256)
    context_tokens: int = _within(2048, 256, 131_072)
    reply_tokens: int = _within(48, 1, 4096)
    system_prompt: str = "You are a helpful voice assistant. Answer in one or two short sentences."


@dataclass(frozen=True, slots=True, kw_only=True)
class VoiceSettings:
    """Replies spoken aloud."""

    enabled: bool = False
    engine: str = _one_of("auto", "piper", "espeak")
    """auto is Piper where it is installed, else espeak-ng."""
    listening: str = _one_of("speaker", "headphones")
    """speaker: the microphone is not listened to while a reply is spoken; headphones: it is."""
    model: str = "piper-joe"
    piper: str | None = None
    """Piper's program, its environment's folder or Python; without it, `piper` on the path."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AppearanceSettings:
    """How the window looks and which language it speaks."""

    colours: str = _one_of("system", "dark", "light", "high-contrast")
    """system follows the desktop's colour scheme and its wish for contrast."""
    text_percent: int = _within(100, 100, 200)
    language: str = _one_of("system", "en", "de")
    """system is the desktop's language where there is a translation, else English."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """All settings of the application."""

    pads: bool = True
    microphone: str | None = None
    data_folder: str | None = None
    """Where corpora for training and evaluation lie (also `PADS_DATA`)."""
    introduced: bool = False
    """Whether the first steps were shown."""
    speech: SpeechSettings = field(default_factory=SpeechSettings)
    gate: GateSettings = field(default_factory=GateSettings)
    decoder: DecoderSettings = field(default_factory=DecoderSettings)
    voice: VoiceSettings = field(default_factory=VoiceSettings)
    appearance: AppearanceSettings = field(default_factory=AppearanceSettings)


def load(path: Path) -> Settings:
    """Settings from a TOML file; defaults where the file or a key is missing.

    Unknown keys are ignored here and kept by `save`. A file that is not TOML, or a value of
    the wrong type or out of range, raises `SettingsRejected` and leaves the file as it is.
    """
    settings: Settings = _build(Settings, _read(path).unwrap(), "")
    _check_order("speech.leave", settings.speech.leave, "speech.enter", settings.speech.enter)
    return settings


def save(settings: Settings, path: Path) -> None:
    """Write settings atomically, keeping keys and comments this version does not know.

    Raises `SettingsRejected` when the file there is not TOML, which is left as it is, or when
    the new one cannot be written.
    """
    document = _read(path)
    _merge(settings, document)
    partial = path.with_suffix(f".{os.getpid()}.partial")  # another window may save, too
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        partial.write_text(tomlkit.dumps(document), "utf-8")
        partial.replace(path)
    except OSError as exc:
        with suppress(OSError):
            partial.unlink(missing_ok=True)
        raise SettingsRejected(
            f"The settings file {path} cannot be written ({exc.strerror})",
            remedy="make room on the disk and its folder writable, then try again",
        ) from exc


def set_aside(path: Path) -> Path:
    """Rename a settings file that `load` rejects, so that a new one can be made; its new name.

    Raises `SettingsRejected` when it cannot be renamed.
    """
    kept, number = path.with_suffix(".broken.toml"), 1
    while kept.exists():
        number += 1
        kept = path.with_suffix(f".broken-{number}.toml")
    try:
        path.rename(kept)
    except OSError as exc:
        raise SettingsRejected(
            f"The settings file {path} cannot be set aside ({exc.strerror})",
            remedy="make its folder writable, or correct the file",
        ) from exc
    return kept


def _read(path: Path) -> tomlkit.TOMLDocument:
    try:
        return tomlkit.parse(reading.text(path, _LARGEST_BYTES))
    except (FileNotFoundError, NotADirectoryError):
        return tomlkit.document()
    except (TOMLKitError, ValueError, RecursionError, OSError) as exc:
        raise SettingsRejected(
            f"The settings file {path} cannot be read ({exc})",
            remedy="correct it, or delete it to return to the defaults",
        ) from exc


def _check_order(low_name: str, low: float, high_name: str, high: float) -> None:
    if low > high:
        raise SettingsRejected(
            f"The setting {low_name} = {low} lies above {high_name} = {high}",
            remedy="correct one of them in the settings file",
        )


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
                raise _rejected(name, given, "is not a table of settings")
            values[item.name] = _build(type(default), given, name + ".")
        else:
            values[item.name] = _checked(name, given, default, item)
    return kind(**values)


def _checked(name: str, given: Any, default: Any, item: Field[Any]) -> Any:
    whole = isinstance(default, float) and type(given) is int  # 1 is as good as 1.0
    if not whole and type(given) is not (str if default is None else type(default)):
        raise _rejected(name, given, "has the wrong type")
    limits = item.metadata
    if "low" in limits and not limits["low"] <= given <= limits["high"]:
        raise _rejected(name, given, f"is not within {limits['low']} to {limits['high']}")
    if "choices" in limits and given not in limits["choices"]:
        raise _rejected(name, given, f"is none of {', '.join(limits['choices'])}")
    return float(given) if whole else given


def _rejected(name: str, given: Any, why: str) -> SettingsRejected:
    return SettingsRejected(
        f"The setting {name} = {given!r} {why}",
        remedy="correct it in the settings file, or delete the line to use the default",
    )


def _merge(values: Any, table: MutableMapping[str, Any]) -> None:
    for item in fields(values):
        value = getattr(values, item.name)
        if is_dataclass(value):
            if not isinstance(table.get(item.name), MutableMapping):
                table[item.name] = tomlkit.table()
            _merge(value, table[item.name])
        elif value is None:
            table.pop(item.name, None)
        else:
            table[item.name] = value
