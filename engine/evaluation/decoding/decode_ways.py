"""What `pads bench decode` races: every way to decode, loaded at once."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from engine import paths
from engine.settings import DecoderSettings

if TYPE_CHECKING:
    from engine.evaluation.decoding.decode_race import Way
    from engine.speculation.decoder import Decoder
    from engine.speculation.loading import Loaded

PLAIN, UNSPECULATED, AUTO = "plain llama-cpp-python", "unspeculated", "auto"
PLAIN_DEFAULT = "plain llama-cpp-python, its default attention"
CONTEXT = 1024
"""Tokens that each way's context holds."""


def way_name(layer: int, kind: str, draft: int) -> str:
    """Drafting at an exit, in records."""
    return f"exit {layer}, {kind}, draft {draft}"


@dataclass(frozen=True, slots=True)
class Pack:
    """One load of every way."""

    ways: list[Way]
    main: Loaded
    auto: Loaded


def load(
    stack: ExitStack,
    model: Path,
    chosen: DecoderSettings,
    drafting: Sequence[tuple[int, str]],
    drafts: Sequence[int],
) -> Pack:
    """Load every way to decode `model`: each of `drafting`, exit and kind, with each of `drafts`.

    All are closed when `stack` is.
    """
    from engine.evaluation.decoding.decode_race import HalvesWay, PlainWay
    from engine.evaluation.decoding.plain import Plain
    from engine.evaluation.exits.exit_reading import ADAPTER, SHELF
    from engine.speculation import loading

    def loaded(wanted: DecoderSettings) -> Loaded:
        one = loading.load(model, paths.cache() / "halves", wanted, lambda *_: None)
        stack.callback(one.decoder.close)
        return one

    plain = Plain(model, size=CONTEXT, threads=chosen.threads)
    stack.callback(plain.close)
    other = Plain(model, size=CONTEXT, threads=chosen.threads, default_attention=True)
    stack.callback(other.close)
    main = loaded(chosen)
    auto = loaded(replace(chosen, speculation="auto"))
    decoders: dict[tuple[int, str], Decoder] = {
        (chosen.exit_layer, ADAPTER if main.decoder.halves.adapted else SHELF): main.decoder
    }
    for layer, kind in drafting:
        if (layer, kind) not in decoders:
            wanted = replace(chosen, exit_layer=layer, exit_adapter=kind == ADAPTER)
            decoders[layer, kind] = loaded(wanted).decoder
    ways: list[Way] = [
        PlainWay(PLAIN, plain),
        PlainWay(PLAIN_DEFAULT, other),
        HalvesWay(UNSPECULATED, main.decoder, 0),
        HalvesWay(AUTO, auto.decoder, auto.decoder.draft_tokens, auto.decoder.lookup),
    ]
    ways += [
        HalvesWay(way_name(layer, kind, draft), decoders[layer, kind], draft)
        for layer, kind in drafting
        for draft in drafts
    ]
    return Pack(ways, main, auto)
