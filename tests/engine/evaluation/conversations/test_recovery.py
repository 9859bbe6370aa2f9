from __future__ import annotations

import json

import psutil
import pytest

from engine import cli


def test_a_decoder_is_cancelled_killed_and_left_behind_by_nobody(
    capsys: pytest.CaptureFixture[str], models: object
) -> None:
    before = psutil.Process().children()
    assert cli.main(["bench", "recovery", "--cancels", "3", "--deaths", "1", "--json"]) == 0
    summary = json.loads(capsys.readouterr().out)
    assert len(summary["cancel_to_idle_ms"]["samples"]) == 3
    assert len(summary["death_to_answering_s"]["samples"]) == 1
    assert min(summary["cancel_to_idle_ms"]["samples"]) > 0
    assert psutil.Process().children() == before
