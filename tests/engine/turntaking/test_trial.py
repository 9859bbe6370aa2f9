"""A user's model is tried in a process of its own before it is loaded here."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from engine.errors import ModelUnavailable
from engine.turntaking import trial
from tests.engine.turntaking.test_vap import supplied


def test_a_good_model_is_opened_after_its_trial(tmp_path: Path) -> None:
    told: list[float] = []
    vap = trial.opened(supplied(tmp_path), told.append)
    assert vap.manifest.channels == "stereo"
    assert told


def test_what_does_not_fit_is_refused_in_the_same_words(tmp_path: Path) -> None:
    with pytest.raises(ModelUnavailable, match="no output p_past"):
        trial.opened(supplied(tmp_path, {"p_future": "p_past"}), lambda _: None)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no signals to die of")
def test_one_that_crashes_its_reader_is_only_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dying = "import os, signal; os.kill(os.getpid(), signal.SIGSEGV)"
    monkeypatch.setattr(trial.children, "command", lambda *_: [sys.executable, "-c", dying])
    with pytest.raises(ModelUnavailable, match="SIGSEGV"):
        trial.opened(supplied(tmp_path), lambda _: None)
