"""Plain chats: one JSON object a line, {"messages": [{"role", "content"}, ...]}.

A leading system message is left out; then user and assistant alternate, the user first.
"""

from __future__ import annotations

import json
from pathlib import Path

from engine import reading
from engine.errors import DataUnavailable

_ROLES = ("user", "assistant")


def read(path: Path) -> list[list[str]]:
    """What is said in each chat, in turn; empty lines are skipped.

    `DataUnavailable` names the file, and the line that is malformed.
    """
    found = []
    try:
        for number, raw in enumerate(reading.lines(path), start=1):
            line = raw.decode("utf-8")
            if line.strip():
                found.append(_chat(path, number, line))
    except (OSError, UnicodeDecodeError) as exc:
        raise DataUnavailable(
            f"The chats {path} cannot be read ({exc})", remedy="name a file of JSON lines in UTF-8"
        ) from exc
    if not found:
        raise DataUnavailable(f"There are no chats in {path}", remedy="write one a line")
    return found


def _chat(path: Path, number: int, line: str) -> list[str]:
    try:
        messages = json.loads(line)["messages"]
        if messages[0]["role"] == "system":
            messages = messages[1:]
        said = [str(message["content"]).strip() for message in messages]
        roles = [message["role"] for message in messages]
    except (ValueError, LookupError, TypeError, RecursionError) as exc:
        raise _malformed(path, number, f"{type(exc).__name__}: {exc}") from exc
    if len(said) < 2 or not all(said) or roles != [_ROLES[n % 2] for n in range(len(roles))]:
        raise _malformed(path, number, "user and assistant do not alternate, or say nothing")
    return said


def _malformed(path: Path, number: int, why: str) -> DataUnavailable:
    return DataUnavailable(
        f"Line {number} of the chats {path} is malformed ({why})",
        remedy='write {"messages": [{"role": "user", "content": ...}, ...]}',
    )
