"""Advisories and licences: what is here passes, and each kind of trouble is found."""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.packaging.clone import PACKAGING

sys.path.insert(0, str(PACKAGING))
import audit
from inventory import Component
from progress import Stopped

LINUX = pytest.mark.skipif(sys.platform != "linux", reason="pins are Linux's")


def advisory(name: str, *events: dict[str, str], **more: Any) -> dict[str, Any]:
    """An advisory as OSV writes it."""
    affected = {
        "package": {"ecosystem": "PyPI", "name": name},
        "ranges": [{"type": "ECOSYSTEM", "events": list(events)}],
    }
    return {"id": "GHSA-made-up", "summary": "a test", "affected": [affected], **more}


def found(entry: dict[str, Any], version: str, name: str = "some-package") -> bool:
    return bool(list(audit.findings([entry], [(name, version)])))


@LINUX
def test_what_is_pinned_and_installed_here_passes() -> None:
    done = subprocess.run(
        [sys.executable, str(PACKAGING / "audit.py")],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert f"advisories as of {audit.read(audit.FILE).day}" in done.stdout


def test_known_advisories_are_about_older_releases_of_what_is_pinned() -> None:
    known = audit.read(audit.FILE)
    older = [("Jinja2", "3.1.5"), ("h11", "0.14.0"), ("torch", "2.5.1"), ("protobuf", "5.29.0")]
    seen = {(f.package, f.version) for f in audit.findings(known.entries, older)}
    assert seen == {(name.lower(), version) for name, version in older}
    assert set(known.accepted) <= {entry["id"] for entry in known.entries}


@pytest.mark.parametrize(
    ("events", "inside", "outside"),
    [
        ([{"introduced": "0"}, {"fixed": "1.2"}], ["0.1", "1.1.9", "1.2rc1"], ["1.2", "2"]),
        ([{"introduced": "1.0"}, {"last_affected": "1.2"}], ["1.0", "1.2"], ["0.9", "1.2.1"]),
        ([{"introduced": "2"}], ["2", "99"], ["1.9"]),
        ([{"introduced": "0"}], ["0.0.1", "99"], []),
        (
            [{"introduced": "0"}, {"fixed": "1"}, {"introduced": "2"}, {"fixed": "3"}],
            ["0.5", "2.5"],
            ["1.5", "3"],
        ),
    ],
)
def test_ranges_are_those_of_osv(
    events: list[dict[str, str]], inside: list[str], outside: list[str]
) -> None:
    entry = advisory("Some_Package", *events)
    assert all(found(entry, version) for version in inside)
    assert not any(found(entry, version) for version in outside)
    assert not found(entry, inside[0], name="another")


def test_single_versions_count_and_what_was_withdrawn_does_not() -> None:
    entry = advisory("some-package")
    entry["affected"][0]["versions"] = ["1.5"]
    assert found(entry, "1.5")
    assert not found(entry, "1.6")
    assert not found({**entry, "withdrawn": "2025-01-01T00:00:00Z"}, "1.5")
    entry["affected"][0]["package"]["ecosystem"] = "npm"  # another package of the name
    assert not found(entry, "1.5")


def test_ranges_of_commits_are_no_ranges_of_releases() -> None:
    entry = advisory("some-package", {"introduced": "0"})
    assert found(entry, "1.5")
    entry["affected"][0]["ranges"][0]["type"] = "GIT"
    assert not found(entry, "1.5")


def test_an_advisory_fails_the_check_unless_it_is_accepted_with_a_reason(
    capsys: pytest.CaptureFixture[str],
) -> None:
    entry = advisory("some-package", {"introduced": "0"}, aliases=["CVE-0-0"])
    today = date(2026, 1, 1)
    known = audit.Advisories(today, "a test", {}, [entry, {**entry, "id": "PYSEC-0-0"}])
    (problem,) = audit.advised(known, [("some.package", "1")], today)  # aliases are one
    assert "some-package 1: GHSA-made-up, CVE-0-0: a test" in problem
    accepted = audit.Advisories(today, "a test", {"CVE-0-0": "never called"}, [entry])
    assert audit.advised(accepted, [("some-package", "1")], today) == []
    assert (
        "accepted: some-package 1: GHSA-made-up, CVE-0-0: never called" in capsys.readouterr().out
    )


def test_old_advisories_are_said_to_be_old(capsys: pytest.CaptureFixture[str]) -> None:
    known = audit.Advisories(date(2026, 1, 1), "a test", {}, [advisory("a")])
    audit.advised(known, [], known.day + audit.FRESH)
    assert "NOT FRESH" not in capsys.readouterr().out
    audit.advised(known, [], known.day + audit.FRESH + timedelta(days=1))
    assert "NOT FRESH: nothing is known of the 91 days since" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ("", "cannot be read"),
        ('{"date": "2026-01-01"}', "cannot be read"),
        ('{"date": "soon", "note": "", "accepted": {}, "advisories": [1]}', "cannot be read"),
        ('{"date": "2026-01-01", "note": "", "accepted": {}, "advisories": []}', "no advisory"),
    ],
)
def test_without_advisories_nothing_passes(tmp_path: Path, content: str, why: str) -> None:
    file = tmp_path / "advisories.json"
    file.write_text(content, "utf-8")
    with pytest.raises(Stopped, match=rf"{why}.*--from all\.zip"):
        audit.read(file)


def test_an_export_takes_the_place_of_the_advisories(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "advisories.json"
    old = {"date": "2020-01-01", "note": "", "accepted": {"A": "b"}, "advisories": [{"id": "old"}]}
    file.write_text(json.dumps(old), "utf-8")
    monkeypatch.setattr(audit, "FILE", file)
    export = tmp_path / "all.zip"
    with zipfile.ZipFile(export, "w") as archive:
        wanted = advisory("NumPy", {"introduced": "0"}, details="long " * 999)
        archive.writestr("1.json", json.dumps(wanted))
        archive.writestr("2.json", json.dumps(advisory("somebody-elses", {"introduced": "0"})))
    assert audit.main(["--from", str(export), "--date", "2026-10-01"]) == 0
    taken = audit.read(file)
    assert (taken.day, taken.accepted) == (date(2026, 10, 1), {"A": "b"})
    (kept,) = taken.entries
    assert "details" not in kept
    assert found(kept, "2.4.6", name="numpy")
    assert audit.main(["--date", "2026-10-02"]) == 1  # numpy is installed here


def test_a_broken_export_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "advisories.json"
    monkeypatch.setattr(audit, "FILE", file)
    (tmp_path / "all.zip").write_bytes(b"PK")
    assert audit.main(["--from", str(tmp_path / "all.zip")]) == 1
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as archive:
        archive.writestr("1.json", json.dumps(advisory("somebody-elses", {"introduced": "0"})))
    assert audit.main(["--from", str(tmp_path / "all.zip")]) == 1
    assert not file.exists()


def test_an_empty_environment_is_not_audited(tmp_path: Path) -> None:
    with pytest.raises(Stopped, match="No package is installed in"):
        audit.installed(tmp_path)


@pytest.mark.parametrize(
    ("licence", "may"),
    [
        ("MIT", True),
        ("BSD-3-Clause AND 0BSD AND MIT AND Zlib AND CC0-1.0", True),
        ("Mozilla Public License 2.0 (MPL 2.0)", True),
        ("LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only", True),
        ("DFSG approved, MIT License", True),
        ("GPL-3.0-or-later", False),
        ("MIT AND GPL-3.0-only", False),
        ("GNU General Public License v3 (GPLv3)", False),
        ("AGPL-3.0-only", False),
        ("CC-BY-NC-4.0", False),
        ("see its text", False),
    ],
)
def test_only_licences_of_the_list_pass(licence: str, may: bool) -> None:
    part = Component(kind="pypi", name="some", version="1", licence=licence)
    assert (audit.unlicensed([part]) == []) is may


def test_the_gpl_voice_engine_passes_only_where_it_is_asked_for() -> None:
    engine = Component(kind="pypi", name="piper-tts", version="1", licence="GPL-3.0-or-later")
    another = Component(kind="pypi", name="another", version="1", licence="GPL-3.0-or-later")
    assert len(audit.unlicensed([engine, another])) == 2
    (left,) = audit.unlicensed([engine, another], ["voice"])
    assert left.startswith("another 1 is under GPL-3.0-or-later")
