"""What was measured to be fastest on this machine with this model: remembered for mode `auto`."""

from __future__ import annotations

import hashlib
import json
import platform
from dataclasses import asdict, dataclass
from pathlib import Path

import llama_cpp

from engine.speculation import llama


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """How to decode; `draft_tokens` 0 is plain decoding, `lookup` drafts by prompt lookup.

    `gain` is the measured speed against plain decoding at the same threads, `low`..`high` its
    95 % interval; `run` names the run directory with the samples.
    """

    draft_tokens: int
    exit_layer: int
    threads: int
    gain: float
    low: float
    high: float
    run: str
    lookup: bool = False


def remembered(sha256: str, cache: Path) -> Choice | None:
    """The choice for the model of this sha256 on this machine; None when never measured."""
    try:
        choice = Choice(**json.loads(_place(sha256, cache).read_text("utf-8")))
    except (OSError, ValueError, TypeError, RecursionError):
        return None
    counts = (choice.draft_tokens, choice.exit_layer, choice.threads)
    return choice if all(isinstance(count, int) and count >= 0 for count in counts) else None


def remember(sha256: str, cache: Path, choice: Choice) -> None:
    """Keep a choice; the next decoder in mode `auto` uses it."""
    cache.mkdir(parents=True, exist_ok=True)
    place = _place(sha256, cache)
    partial = place.with_suffix(".partial")
    partial.write_text(json.dumps(asdict(choice)), "utf-8")
    partial.replace(place)


def _place(sha256: str, cache: Path) -> Path:
    facts = [sha256, llama_cpp.__version__, llama.system_info(), platform.node()]
    key = hashlib.sha256(json.dumps(facts).encode()).hexdigest()[:24]
    return cache / f"{key}.tuning.json"
