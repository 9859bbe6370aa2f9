"""Whether an event that was read back can have happened: a line of a session may hold anything."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import fields
from typing import Any

from engine.events import Event

_LARGEST = 1e9
"""Seconds, or milliseconds, of anything; also of counts."""


def plausible(event: Event) -> bool:
    """Whether its numbers are of this world and its texts can be written."""
    return all(fits(getattr(event, name)) for name, fits in _checks(type(event)))


_Checks = tuple[tuple[str, Callable[[Any], bool]], ...]
_known: dict[type[Event], _Checks] = {}


def _checks(kind: type[Event]) -> _Checks:
    if kind not in _known:
        kinds = {field.name: str(field.type) for field in fields(kind)}
        found = ((n, _moment if n.endswith("_s") else _FITS.get(k)) for n, k in kinds.items())
        _known[kind] = tuple((name, fits) for name, fits in found if fits is not None)
    return _known[kind]


def _moment(value: Any) -> bool:
    return _number(value) and not math.isnan(value)


def _number(value: Any) -> bool:
    # Null, which stands for what JSON has no number for, was read as nan.
    known = type(value) in (int, float)
    return known and (abs(value) <= _LARGEST or (type(value) is float and math.isnan(value)))


def _count(value: Any) -> bool:
    return type(value) is int and abs(value) <= _LARGEST


def _text(value: Any) -> bool:
    return isinstance(value, str) and (value.isascii() or _writable(value))


def _writable(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


_FITS: dict[str, Callable[[Any], bool]] = {
    "float": _number,
    "float | None": lambda value: value is None or _number(value),
    "int": _count,
    "bool": lambda value: isinstance(value, bool),
    "str": _text,
    "str | None": lambda value: value is None or _text(value),
    "tuple[int, ...]": lambda value: all(map(_count, value)),
    "tuple[float, ...]": lambda value: all(map(_number, value)),
    "tuple[str, ...]": lambda value: all(map(_text, value)),
    "dict[str, Any]": lambda value: isinstance(value, dict),
}
