"""The verbs of `pads`, run as a user runs them."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from engine import paths
from engine.records import session_log


def pads(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "app", *words],
        check=False,
        capture_output=True,
        text=True,
        timeout=120,
    )


@pytest.mark.usefixtures("models")
def test_replay_prints_one_object_a_line_and_a_summary(data: Path) -> None:
    done = pads("replay", str(data / "audio" / "livekit_weather_question.wav"), "--json")
    assert done.returncode == 0, done.stderr
    records = [json.loads(line) for line in done.stdout.splitlines()]
    assert all("heard_s" in record for record in records[:-1])
    summary = records[-1]
    assert summary["type"] == "summary"
    assert summary["pads"] is True
    assert summary["turns"] == summary["replies"] == 1
    assert "weather" in summary["transcripts"][0].lower()
    assert summary["evidence"] == "measured"
    assert len(summary["gate_ms"]) == 2


@pytest.mark.parametrize(
    ("name", "content", "word"),
    [
        ("nothing.wav", b"", "nothing.wav"),
        ("text.wav", b"this is no sound at all" * 40, "text.wav"),
        ("absent.wav", None, "absent.wav"),
    ],
)
@pytest.mark.usefixtures("models")
def test_an_unusable_file_is_one_sentence_and_not_zero(
    tmp_path: Path, name: str, content: bytes | None, word: str
) -> None:
    file = tmp_path / name
    if content is not None:
        file.write_bytes(content)
    done = pads("replay", str(file))
    assert done.returncode == 1
    complaint = [line for line in done.stderr.splitlines() if line.startswith("pads:")]
    assert len(complaint) == 1, done.stderr
    assert word in complaint[0]
    assert "Traceback" not in done.stderr


def test_missing_models_are_one_sentence_and_not_zero(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PADS_MODELS", str(tmp_path / "nowhere"))
    done = pads("replay", str(data / "audio" / "livekit_weather_question.wav"))
    assert done.returncode == 1
    assert "pads models fetch" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.usefixtures("models")
def test_a_killed_session_keeps_every_complete_line(data: Path) -> None:
    file = data / "audio" / "ami_EN2001e_first30s.wav"
    running = subprocess.Popen(
        [sys.executable, "-m", "app", "replay", str(file), "--json", "--log"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
    )
    assert running.stdout is not None
    with running, running.stdout:
        heard = 0
        for line in running.stdout:
            heard += json.loads(line)["type"] == "audio_heard"
            if heard == 40:
                break
        os.killpg(running.pid, signal.SIGKILL)
        running.stdout.read()
    (ended,) = session_log.mark_interrupted(paths.sessions())
    assert ended.events >= 40
    assert session_log.mark_interrupted(paths.sessions()) == []
    kinds = [record["type"] for record in session_log.read(ended.folder)]
    assert kinds.count("audio_heard") >= 40
