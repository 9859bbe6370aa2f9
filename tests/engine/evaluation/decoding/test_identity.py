from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine import cli
from engine.errors import DataUnavailable
from engine.evaluation.decoding import identity
from engine.evaluation.decoding.identity_prompts import conversations
from engine.evaluation.decoding.plain import Plain
from engine.settings import DecoderSettings
from engine.speculation import split
from engine.speculation.chat import Chat
from engine.speculation.decoder import Decoder
from engine.speculation.messages import Message
from engine.store.fetching import locate


def test_the_default_model_serves_plain_decodings_tokens(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = ["bench", "identity", "--prompts", "2", "--tokens", "12", "--formats", "--json"]
    assert cli.main(words) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["type"] for line in lines] == ["prompt", "prompt", "model", "summary"]
    summary = lines[-1]
    assert (summary["prompts"], summary["divergences"]) == (2, 0)
    assert summary["verdict"] == "exact"
    assert lines[2]["drafted"] > 0


def test_a_tail_that_lacks_two_layers_is_a_difference(halves: Path) -> None:
    """The bench must be able to fail."""
    model = locate(DecoderSettings().model)
    whole, short = (split.halves(model, layer, halves, 8192) for layer in (10, 12))
    broken = replace(whole, tail=short.tail)
    decoder = Decoder(broken, size=512, threads=1, draft_tokens=2)
    plain = Plain(model, size=512, threads=1)
    prompt = Chat(decoder.model, "", 448).prompt([Message("user", "Why is the sky blue?")]).tokens
    count = identity.Count()
    served = [item.token for step in decoder.decode(prompt, 12) for item in step.served]
    assert not count.take(plain.answer(prompt, 12), served, served)
    assert count.divergences == 2
    decoder.close()
    plain.close()


@pytest.mark.parametrize(
    ("divergences", "proved", "expected"),
    [
        (0, True, "exact"),
        (1, True, "different"),
        (0, False, "up to rounding"),
        (3, False, "up to rounding"),
    ],
)
def test_verdicts(divergences: int, proved: bool, expected: str) -> None:
    assert identity.verdict(divergences, proved) == expected


def test_an_unannounced_difference_fails_the_bench() -> None:
    model: dict[str, Any] = {
        "model": "default",
        "prompts": 3,
        "tokens": 9,
        "divergences": 1,
        "verdict": "different",
        "default_attention": None,
        "settings": {},
    }
    assert identity.summarise([model])["silent_differences"] == 1


def test_a_silent_difference_is_the_benchs_exit_status(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    found = {"type": "model", "model": "default", "prompts": 1, "tokens": 9, "divergences": 1}
    found |= {"default_attention": None, "settings": {}}
    for verdict, status in (("different", 1), ("up to rounding", 0)):
        compared = [{**found, "verdict": verdict}]
        monkeypatch.setattr(identity, "compare_all", lambda *_, found=compared, **__: iter(found))
        assert cli.main(["bench", "identity", "--prompts", "1", "--formats"]) == status
        assert verdict in capsys.readouterr().out


def test_prompts_are_demos_then_dialogues(data: Path) -> None:
    found = conversations(60)
    assert found[:20] == conversations(20)
    assert all(messages[-1].role == "user" for messages in found)
    assert {len(messages) for messages in found} >= {1, 3}
    with pytest.raises(DataUnavailable, match="Only"):
        conversations(10_000)


def test_missing_data_says_how_to_get_it() -> None:
    with pytest.raises(DataUnavailable, match="PADS_DATA"):
        conversations(60)
