"""Places to write to that are not there, vanish or fill up: said in a sentence, or done without."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
from contextlib import ExitStack
from pathlib import Path

import numpy as np
import pytest

from engine import events, logs, settings
from engine.audio.keeping import SoundKeeper
from engine.errors import ExportFailed, ModelUnavailable, SettingsRejected
from engine.events import Event
from engine.outbox import Outbox
from engine.records.recorder import Recorder
from engine.records.session_log import SessionLog
from engine.records.writing import replacing
from engine.settings import DecoderSettings, Settings
from engine.speculation import client, split, starting
from tests.virtual_microphone import until

_LISTENING = events.StateChanged(heard_s=0.0, turn=0, state=events.TurnState.LISTENING)


def test_a_session_whose_folder_was_deleted_says_so_once(tmp_path: Path) -> None:
    outbox = Outbox()
    with ExitStack() as stack:
        record = Recorder(outbox, tmp_path / "sessions", stack)
        record(_LISTENING)
        assert not [e for e in outbox.drain()[0] if isinstance(e, events.Problem)]
        shutil.rmtree(tmp_path / "sessions")
        record(_LISTENING)
        record(_LISTENING)
        (problem,) = [e for e in outbox.drain()[0] if isinstance(e, events.Problem)]
    assert "no longer recorded" in problem.message
    assert "see that its folder is there" in problem.message
    assert record.folder is None
    assert not outbox.drain()[0]


def test_an_old_session_that_cannot_be_marked_costs_the_new_one_nothing(tmp_path: Path) -> None:
    old = SessionLog(tmp_path, {})
    manifest = old.folder / "manifest.json"
    old.close()
    facts = json.loads(manifest.read_text()) | {"status": "running", "process": 2**22 + 1}
    manifest.write_text(json.dumps(facts))
    (old.folder / f"manifest.{os.getpid()}.partial").mkdir()  # what cannot be written, even by root
    outbox = Outbox()
    with ExitStack() as stack:
        record = Recorder(outbox, tmp_path, stack)
        assert record.folder is not None
    assert not outbox.drain()[0]


def test_a_crash_report_that_cannot_be_renamed_is_offered_all_the_same(home: Path) -> None:
    logs.folder().mkdir(parents=True)
    report = logs.folder() / "crash-1.txt"
    report.write_text("a stack")
    report.with_name("crash-1.offered.txt").mkdir()
    logs.offered(report)
    assert logs.crashes() == [report]


def test_sound_whose_file_was_deleted_is_told_and_the_lamp_goes_out(tmp_path: Path) -> None:
    seen: list[Event] = []
    keeper = SoundKeeper(tmp_path, seen.append)
    keeper.switch(True)
    chunk = np.zeros(512, np.float32)
    keeper.hear(chunk, 0.032)
    keeper.hear(chunk, 0.064)
    assert [type(event) for event in seen] == [events.SoundRecorded]
    (tmp_path / "sound-1.wav").unlink()
    keeper.hear(chunk, 0.096)
    keeper.hear(chunk, 0.128)
    (problem,) = [event for event in seen if isinstance(event, events.Problem)]
    assert "deleted" in problem.message
    last = seen[-1]
    assert isinstance(last, events.SoundRecorded)
    assert not last.on


@pytest.mark.parametrize("name", ["a/b.html", "x" * 250, "a/../b/c.html"])
def test_an_export_to_a_name_that_cannot_be_is_refused_in_a_sentence(
    tmp_path: Path, name: str
) -> None:
    (tmp_path / "a").touch()
    with (
        pytest.raises(ExportFailed, match="cannot be written"),
        replacing(tmp_path / name) as partial,
    ):
        partial.write_text("x")


def test_a_home_that_is_a_file_has_no_settings_and_takes_none(tmp_path: Path) -> None:
    home = tmp_path / "no-folder"
    home.touch()
    assert settings.load(home / "config" / "settings.toml") == Settings()
    with pytest.raises(SettingsRejected, match="cannot be written"):
        settings.save(Settings(), home / "config" / "settings.toml")


def test_halves_that_cannot_be_kept_are_refused_with_their_own_remedy(
    models: Path, tmp_path: Path
) -> None:
    cache = tmp_path / "cache"
    cache.touch()
    model = models / "SmolLM2-135M-Instruct.Q4_1.gguf"
    process = client.DecoderProcess(DecoderSettings(), model, cache / "halves")
    process.start()
    try:
        with pytest.raises(ModelUnavailable) as refused:
            starting.ready(process, threading.Event(), lambda step, fraction: None)
    finally:
        process.close()
    assert "cannot be kept in" in refused.value.thing
    assert refused.value.remedy == "free disk space there, or allow writing there"


def test_a_models_identity_is_known_where_nothing_can_be_remembered(tmp_path: Path) -> None:
    model = tmp_path / "model.gguf"
    model.write_bytes(b"a model")
    digest = split.identity(model, tmp_path / "nowhere")
    assert digest == hashlib.sha256(b"a model").hexdigest()


def test_a_decoder_that_has_no_place_for_its_errors_is_started_once_there_is_one(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "gone"))
    model = tmp_path / "notes.gguf"
    model.write_text("not a model")  # which only a process that was started can tell
    process = client.DecoderProcess(DecoderSettings(), model, tmp_path / "halves")
    reasons: list[str] = []

    def told(what: str) -> bool:
        reasons.extend(r.reason for r in process.poll() if isinstance(r, client.Died))
        return any(what in reason for reason in reasons)

    process.start()
    try:
        until(lambda: told("could not be started"), "nobody told of it")
        (tmp_path / "gone").mkdir()
        until(lambda: told("notes.gguf cannot be read"), "it was not started again")
    finally:
        process.close()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has a file that is always full")
@pytest.mark.parametrize("verb", [["models", "list"], ["job", "list", "--json"]])
def test_output_to_a_full_disk_is_told_in_a_sentence(verb: list[str], home: Path) -> None:
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = subprocess.run(
            [sys.executable, "-m", "app", *verb],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=60,
            check=False,
        )
    assert done.returncode == 1
    (sentence,) = done.stderr.splitlines()
    assert "cannot be written (No space left on device): make room" in sentence


@pytest.mark.skipif(sys.platform == "win32", reason="a shell closes it")
def test_a_program_without_standard_output_goes_on(home: Path) -> None:
    command = ["sh", "-c", 'exec "$@" <&- >&- 2>&-', "sh", sys.executable, "-m", "app"]
    done = subprocess.run([*command, "models", "list"], timeout=60, check=False)
    assert done.returncode == 0
