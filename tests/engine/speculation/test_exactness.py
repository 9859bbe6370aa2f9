from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from engine.settings import DecoderSettings
from engine.speculation import exactness, loading, split
from engine.speculation.context import Floats
from engine.speculation.decoder import CHUNK, Decoder
from engine.speculation.exactness import Exactness
from engine.speculation.llama import Kernels
from tests.engine.speculation.conftest import Decoders


def test_the_default_kernels_are_exact_and_it_is_remembered(
    new_decoder: Decoders, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    decoder = new_decoder()
    found = exactness.remembered(decoder, tmp_path)
    assert (found.exact, found.widest, found.margin) == (True, CHUNK, 0.0)
    assert found.positions == 32
    assert decoder.lengths == (0, 0)
    with monkeypatch.context() as patch:
        patch.delattr(exactness, "probe")
        assert exactness.remembered(decoder, tmp_path) == found
    monkeypatch.setattr(exactness, "probe", lambda _: found)
    (note,) = tmp_path.glob("*.json")
    whole = note.read_bytes()
    for damage in (b"", b"\xff", b"[1]", b"[" * 100_000, b'{"equal": 3}'):
        note.write_bytes(damage)
        assert exactness.remembered(decoder, tmp_path) == found
        assert note.read_bytes() == whole


def test_llama_cpps_default_attention_is_found_inexact(cut: split.Halves) -> None:
    decoder = Decoder(cut, size=640, threads=1, kernels=Kernels(type_v="f16"))
    found = exactness.probe(decoder)
    decoder.close()
    assert not found.exact
    assert found.margin > 0
    assert found.describe(CHUNK)["verdict"] == "lossless up to rounding"


class Perturbed(Decoder):
    """Its tail is off by one unit in the last place whenever more than 4 positions go together."""

    def logits_of(self, tokens: list[int]) -> Floats:  # type: ignore[override]
        logits = super().logits_of(tokens)
        if len(tokens) > 4:
            logits[-1, 7] = np.nextafter(logits[-1, 7], np.float32(np.inf))
        return logits


def test_a_perturbed_tail_fails_the_probe(cut: split.Halves) -> None:
    decoder = Perturbed(cut, size=128, threads=1)
    found = exactness.probe(decoder)
    decoder.close()
    assert found.equal == (2, 3, 4)
    assert found.widest == 4
    assert not found.exact
    assert found.describe(4)["verdict"] == "exact"
    assert found.describe(CHUNK)["verdict"] == "lossless up to rounding"


@pytest.mark.parametrize(
    ("equal", "unequal", "widest"),
    [((2, 3, 8), (4, 5), 3), ((3, 4), (2,), 1), ((2, 3), (), 3), ((), (2, 3), 1)],
)
def test_a_width_is_proved_only_where_all_below_it_are(
    equal: tuple[int, ...], unequal: tuple[int, ...], widest: int
) -> None:
    found = Exactness(equal=equal, unequal=unequal, margin=0.0, positions=32)
    assert found.widest == widest


@pytest.mark.parametrize(
    ("repacked", "as_stored", "repack", "widest", "verdict"),
    [
        (64, 1, True, 64, "exact"),
        (3, 5, False, 5, "exact"),
        (3, 3, True, 64, "lossless up to rounding"),
    ],
)
def test_loading_takes_the_kernels_that_are_exact_and_wide_enough(
    model_file: Path,
    halves: Path,
    monkeypatch: pytest.MonkeyPatch,
    repacked: int,
    as_stored: int,
    repack: bool,
    widest: int,
    verdict: str,
) -> None:
    """Whatever this machine's kernels are: what the probe finds decides."""

    def found(decoder: Decoder, cache: Path) -> Exactness:
        proved = repacked if decoder.kernels.repack else as_stored
        return Exactness(
            equal=tuple(w for w in exactness.WIDTHS if w <= proved),
            unequal=tuple(w for w in exactness.WIDTHS if w > proved),
            margin=0.1,
            positions=32,
        )

    monkeypatch.setattr(exactness, "remembered", found)
    chosen = DecoderSettings(threads=1, context_tokens=1024)
    loaded = loading.load(model_file, halves, chosen, lambda *_: None)
    loaded.decoder.close()
    assert loaded.details["kernels"]["repack"] is repack
    assert loaded.details["exactness"]["widest_used"] == widest
    assert loaded.details["exactness"]["verdict"] == verdict
