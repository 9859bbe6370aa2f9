"""`pads rehearse`: one JSON object a check as it is made, a summary last, and its exit status."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine import cli
from engine.evaluation.machine.rehearsal import Light, together


def test_a_missing_model_ends_red_and_names_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PADS_MODELS", str(tmp_path / "none"))
    assert cli.main(["rehearse", "--json"]) == 1
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    checks, summary = lines[:-1], lines[-1]
    assert [line["type"] for line in lines] == ["check"] * 8 + ["summary"]
    by_name = {check["name"]: check for check in checks}
    assert by_name["models"]["light"] == Light.RED
    assert "pads models fetch" in by_name["models"]["sentence"]
    assert by_name["one turn"]["light"] == Light.RED
    assert summary["light"] == together([check["light"] for check in checks]) == Light.RED
    assert "models" in summary["verdict"]
    for check in checks:
        for figure in check["figures"].values():
            assert figure["evidence"]
            assert (figure["value"] is None) == (figure["evidence"] == "unavailable")
