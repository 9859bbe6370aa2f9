"""Models and recordings from outside, read with a defence less."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.faults.breaking import HERE, Patches, Red

HOST = "engine.speculation.host"


def a_model_is_not_looked_at(_: str) -> Patches:
    import json
    from dataclasses import asdict

    from engine.speculation import inspection

    facts = inspection.Facts(
        name="x",
        architecture="llama",
        layers=30,
        number_format="Q4_1",
        vocabulary=1,
        licence="x",
        notes=(),
    )

    def answer(find: object) -> int:
        print(json.dumps({"facts": asdict(facts)}))
        return 0

    return [(inspection, "answer", answer)]


def a_projection_is_not_tried(_: str) -> Patches:
    from engine.turntaking import vap

    def take(self: Any, model: Path) -> None:
        self._model, self.manifest = model, vap._manifest(model)

    return [(vap.VoiceActivityProjection, "__init__", take)]


def a_recording_that_breaks_off_has_no_sentence(_: str) -> Patches:
    from engine.audio import decoding

    return [(decoding, "unplayable", lambda path, why: RuntimeError(why))]


def models_are_not_compared(_: str) -> Patches:
    from engine.store import storing

    return [(storing, "damage", lambda model, path=None, report=None: None)]


def a_damaged_adapter_is_no_exception(_: str) -> Patches:
    from engine.speculation import adapter

    def find(sha256: str, exit_layer: int, problems: list[str] | None = None) -> Path | None:
        found = (p for p in adapter.files() if adapter.belongs_to(p) == (sha256, exit_layer))
        return next(found, None)

    return [(adapter, "find", find)]


def halves_are_told_by_their_size(_: str) -> Patches:
    from engine.speculation import split

    return [(split, "_sha256", lambda path: f"{path.stat().st_size:064x}")]


RED: tuple[Red, ...] = (
    Red(
        "file-halves",
        halves_are_told_by_their_size,
        "a half of the model with a bit turned over was used",
        places=(HOST,),
    ),
    Red(
        "file-gguf",
        a_model_is_not_looked_at,
        "a damaged .gguf was taken",
        places=("engine.speculation.examination",),
        quick=True,
    ),
    Red(
        "file-onnx",
        a_projection_is_not_tried,
        "a damaged .onnx was taken",
        places=(HERE, "engine.turntaking.trial"),
        quick=True,
    ),
    Red("file-sound", a_recording_that_breaks_off_has_no_sentence, "RuntimeError: it ", quick=True),
    Red(
        "file-listening", models_are_not_compared, "a damaged smart-turn-v3.2 was taken", quick=True
    ),
    Red(
        "file-adapter",
        a_damaged_adapter_is_no_exception,
        "mine.gguf cannot be read",
        places=(HOST,),
    ),
)
