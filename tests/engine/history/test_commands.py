"""`pads history` and `pads export` as they are run."""

from __future__ import annotations

import json
import resource
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from engine import cli


def test_the_list_and_all_exports(
    session: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["history", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert (listed["name"], listed["turns"], listed["evidence"]) == (session.name, 1, "measured")
    outs = {name: tmp_path / f"out.{name}" for name in ("html", "csv", "trace")}
    flags = [word for name, out in outs.items() for word in (f"--{name}", str(out))]
    assert cli.main(["export", "latest", *flags]) == 0
    assert all(out.stat().st_size > 500 for out in outs.values())
    assert cli.main(["history"]) == 0
    assert "first turn.wav" in capsys.readouterr().out


def test_what_cannot_be_exported_is_said(
    session: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["export", "latest"]) == 2
    assert "name one of --html OUT" in capsys.readouterr().err
    assert cli.main(["export", "nonsense", "--csv", str(tmp_path / "x")]) == 1
    assert "There is no session nonsense" in capsys.readouterr().err
    assert cli.main(["export", "latest", "--html", str(tmp_path / "none" / "x.html")]) == 1
    assert "No such file or directory" in capsys.readouterr().err


def limited() -> None:
    """Let no file of this process grow beyond 4 kB, as a full disk would."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))


@pytest.mark.parametrize("kind", ["html", "csv", "trace"])
def test_a_full_disk_gives_one_sentence_and_leaves_no_half_file(
    session: Path, tmp_path: Path, kind: str
) -> None:
    folder = tmp_path / "full"
    folder.mkdir()
    (folder / "out").write_text("before")
    with (session / "events.jsonl").open("a") as file:
        said = json.dumps({"type": "turn_committed", "heard_s": 9.0, "turn": 1, "text": "x" * 9000,
                           "from_branch": True})  # fmt: skip
        file.write(said + "\n")
    done = subprocess.run(
        [sys.executable, "-m", "app", "export", "latest", f"--{kind}", str(folder / "out")],
        check=False,
        capture_output=True,
        text=True,
        timeout=60,
        preexec_fn=limited,
    )
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert f"{folder / 'out'} cannot be written" in done.stderr or "-blocks" in done.stderr
    assert [file.name for file in folder.iterdir()] == ["out"]
    assert (folder / "out").read_text() == "before"
