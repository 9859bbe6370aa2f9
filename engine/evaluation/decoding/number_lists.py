"""Lists of whole numbers as a user writes them into a job's field: `1,2,4`."""

from __future__ import annotations

from engine.errors import JobFailed


def whole_numbers(text: str, what: str) -> list[int]:
    """The numbers in rising order, each once; `JobFailed` names `what` they should have been."""
    try:
        found = sorted({int(word) for word in text.split(",")})
    except ValueError:
        found = []
    if not found or found[0] < 1:
        raise JobFailed(f"{text!r} is no list of {what}", remedy="write, for example, 1,2,4")
    return found
