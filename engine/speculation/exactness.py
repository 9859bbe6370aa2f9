"""Are batched steps bit-equal to single steps on this machine? Probed at load, remembered.

Drafts are verified in batches and prompts are prefilled in pieces; nothing served changes only
if every width used gives the bits of single steps. CPU features, kernels and model decide
that, so it is measured and never assumed.
"""

from __future__ import annotations

import hashlib
import json
import platform
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

import llama_cpp
import numpy as np

from engine.speculation import llama
from engine.speculation.context import Floats
from engine.speculation.decoder import CHUNK, Decoder

WIDTHS = (2, 3, 4, 5, 8, 16, CHUNK)
"""Batch widths compared with single steps."""

_COMPARED = 16
_BASES = (48, 560)
"""Where the compared positions begin: near the start, and past 512 cached positions, from
where on llama.cpp may divide single steps' attention differently."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Exactness:
    """What the probe found.

    `widest` is the widest batch up to which all probed widths equal single steps bit for bit;
    `margin` the largest logit difference at any width that does not (0 when all do).
    """

    equal: tuple[int, ...]
    unequal: tuple[int, ...]
    margin: float
    positions: int

    @property
    def widest(self) -> int:
        """Widest proved batch; 1 when already two tokens together round differently."""
        first = min(self.unequal, default=CHUNK + 1)
        return max((width for width in self.equal if width < first), default=1)

    @property
    def exact(self) -> bool:
        """Every width the decoder may use gives the bits of single steps."""
        return not self.unequal

    def describe(self, used: int) -> dict[str, object]:
        """For records: the verdict when no batch is wider than `used`, and what led to it."""
        verdict = "exact" if used <= self.widest else "lossless up to rounding"
        return {
            "verdict": verdict,
            "widest_used": used,
            "widest_exact": self.widest,
            **asdict(self),
        }


def remembered(decoder: Decoder, cache: Path) -> Exactness:
    """The probe's result for this model, cut, machine and library; probed when not known."""
    known = cache / f"{_key(decoder)}.exactness.json"
    try:
        record = json.loads(known.read_text("ascii"))
        return Exactness(
            equal=tuple(map(int, record["equal"])),
            unequal=tuple(map(int, record["unequal"])),
            margin=float(record["margin"]),
            positions=int(record["positions"]),
        )
    except (OSError, ValueError, KeyError, TypeError, RecursionError, OverflowError):
        found = probe(decoder)
    with suppress(OSError):  # then it is probed again the next time
        partial = known.with_suffix(f".{decoder.stop.address:x}")
        partial.write_text(json.dumps(asdict(found)), "ascii")
        partial.replace(known)
    return found


def probe(decoder: Decoder) -> Exactness:
    """Compare full-depth logits of single steps and of batches; leaves the caches empty."""
    bases = [base for base in _BASES if base + _COMPARED <= decoder.size]
    vocabulary = decoder.model.n_vocab
    tokens = np.random.default_rng(0).integers(0, vocabulary, bases[-1] + _COMPARED).tolist()
    margins = dict.fromkeys(WIDTHS, 0.0)
    for base in bases:
        end = base + _COMPARED
        single = _logits(decoder, tokens[:end], base, 1)
        for width in WIDTHS:
            start = min(base, end - width)
            logits = _logits(decoder, tokens[:end], start, width)[-_COMPARED:]
            # Bits are compared, not values: equal sums of different signs of zero differ.
            if not np.array_equal(logits.view(np.uint32), single.view(np.uint32)):
                difference = float(np.abs(logits - single).max())
                margins[width] = max(margins[width], difference, 1e-30)
    decoder.forget()
    return Exactness(
        equal=tuple(width for width in WIDTHS if not margins[width]),
        unequal=tuple(width for width in WIDTHS if margins[width]),
        margin=max(margins.values()),
        positions=_COMPARED * len(bases),
    )


def _logits(decoder: Decoder, tokens: list[int], start: int, width: int) -> Floats:
    """Full-depth logits from `start` on, computed `width` positions at a time."""
    decoder.rewind(tokens, start)
    rows = [decoder.logits_of(tokens[at : at + width]) for at in range(start, len(tokens), width)]
    return np.concatenate(rows)


def _key(decoder: Decoder) -> str:
    facts = {
        "model": decoder.halves.sha256,
        "exit": decoder.halves.exit_layer,
        "kernels": asdict(decoder.kernels),
        "threads": decoder.threads,
        "positions": min(decoder.size, _BASES[-1] + _COMPARED),
        "library": llama_cpp.__version__,
        "build": llama.system_info(),
        "machine": [platform.machine(), platform.processor(), platform.release()],
    }
    return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()[:24]
