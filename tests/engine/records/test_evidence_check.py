"""The evidence checker on what the repository shows, and on what it must refuse."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from engine.records import evidence_check

ROOT = Path(__file__).resolve().parents[3]
RECORDS = [
    path for name in ("models", "docs", "assets") for path in evidence_check.records(ROOT / name)
]
DOCUMENTS = [
    ROOT / "README.md",
    *sorted((ROOT / "models").rglob("*.md")),
    *sorted((ROOT / "docs" / "reports").rglob("*.md")),
]


def named(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("path", RECORDS, ids=named)
def test_every_record_is_tagged_and_whole(path: Path) -> None:
    assert evidence_check.record_faults(path) == []


@pytest.mark.parametrize("path", DOCUMENTS, ids=named)
def test_every_figure_is_tagged_and_held_by_a_record(path: Path) -> None:
    assert evidence_check.document_faults(path, ROOT) == []


FIGURE = {
    "value": 0.57425,
    "low": 0.5201,
    "high": 0.6299,
    "level": 0.95,
    "method": "",
    "evidence": "measured",
}


def written(folder: Path, result: dict[str, Any], **run: Any) -> Path:
    folder.mkdir(exist_ok=True)
    machine = {"is_target": False, "product": None}
    record = {"run": "r1", "machine": machine} | run
    (folder / "run.json").write_text(json.dumps(record), "utf-8")
    path = folder / "result.json"
    path.write_text(json.dumps({"run": "r1"} | result), "utf-8")
    return path


def test_a_sound_record_passes(tmp_path: Path) -> None:
    missing = {"value": None, "evidence": "unavailable", "reason": "no sensor"}
    path = written(
        tmp_path, {"a": FIGURE, "b": missing, "rows": [{"evidence": "derived", "c": 1.5}]}
    )
    assert evidence_check.record_faults(path) == []


@pytest.mark.parametrize(
    ("result", "fault"),
    [
        ({"acceptance": 0.5}, "acceptance = 0.5 has no evidence tag"),
        ({"rows": [{"x": 1.5}]}, "rows[0].x = 1.5 has no evidence tag"),
        ({"a": {"value": 0.5, "evidence": "guessed"}}, "unknown evidence 'guessed'"),
        ({"a": {"value": None, "evidence": "measured"}}, "a is None and measured"),
        ({"a": {"value": 0, "evidence": "unavailable", "reason": "-"}}, "a is 0 and unavailable"),
        ({"a": {"value": None, "evidence": "unavailable"}}, "without a reason"),
        ({"a": {"value": 0.5, "evidence": "target"}}, "no Latitude 5490"),
    ],
)
def test_a_record_is_refused(tmp_path: Path, result: dict[str, Any], fault: str) -> None:
    (found,) = evidence_check.record_faults(written(tmp_path, result))
    assert fault in found


@pytest.mark.parametrize(
    ("run", "fault"),
    [
        ({"run": "r2"}, "of another run"),
        ({"status": "interrupted"}, "is interrupted"),
        ({"superseded_by": "r9"}, "superseded by r9"),
    ],
)
def test_a_record_of_such_a_run_is_refused(tmp_path: Path, run: Any, fault: str) -> None:
    (found,) = evidence_check.record_faults(written(tmp_path, {"a": FIGURE}, **run))
    assert fault in found


def test_a_record_without_its_run_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path, {"a": FIGURE})
    path.with_name("run.json").unlink()
    (found,) = evidence_check.record_faults(path)
    assert "run.json" in found
    path.write_text("[1]", "utf-8")
    assert evidence_check.record_faults(path) == [f"{path}: is no JSON object"]


def test_target_figures_need_the_target_machine(tmp_path: Path) -> None:
    result = {"a": {"value": 0.5, "evidence": "target"}}
    target = {"is_target": True, "product": "Latitude 5490"}
    assert evidence_check.record_faults(written(tmp_path, result, machine=target)) == []
    other = {"is_target": True, "product": "Latitude 7490"}
    assert evidence_check.record_faults(written(tmp_path, result, machine=other)) != []


def faults(folder: Path, text: str) -> list[str]:
    card = folder / "card"
    written(card, {"a": FIGURE, "count": {"value": 61702, "evidence": "measured"}})
    path = card / "README.md"
    path.write_text(text, "utf-8")
    return evidence_check.document_faults(path, folder)


@pytest.mark.parametrize(
    "text",
    [
        "Kept 0.574 [0.520, 0.630] (measured).",
        "Kept 0.57 (measured) of 61,702 (measured) drafts.",
        "Kept 57.4 % (measured).",
        "| exit 4 | 0.574 ([measured](result.json)) |",
        "Rate `2e-3`, `3.8 MB`, Python 3.11, CC BY-NC-SA 4.0, arXiv:2404.18911, 30 layers.",
        "```\n0.99\n```\n\n    0.98 in a block\n",
        "Values come with 95 % intervals.",
    ],
)
def test_a_sound_document_passes(tmp_path: Path, text: str) -> None:
    assert faults(tmp_path, text) == []


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("Kept 0.574 of its drafts.", "0.574 has no evidence tag"),
        ("It takes 12 ms.", "12 ms has no evidence tag"),
        ("It is 30 % faster.", "30 % has no evidence tag"),
        ("From 61,702 positions.", "61,702 has no evidence tag"),
        ("Costs 3.5e-8.", "3.5e-8 has no evidence tag"),
        ("Kept 0.575 (measured).", "no record holds 0.575 (measured)"),
        ("Kept 0.574 (derived).", "no record holds 0.574 (derived)"),
        ("Kept 0.574 [0.510, 0.630] (measured).", "no record holds 0.574 [0.510, 0.630]"),
        ("Kept 0.574 ([measured](gone.json)).", "no record holds 0.574"),
        ("Kept 0.574 (guessed).", "0.574 has no evidence tag"),
        ("* A list goes on    \n    with 0.574.", "0.574 has no evidence tag"),
    ],
)
def test_a_figure_is_refused(tmp_path: Path, text: str, fault: str) -> None:
    (found,) = faults(tmp_path, f"\n{text}\n")
    assert fault in found
    assert "README.md:" in found


def test_a_figure_in_the_root_needs_its_link(tmp_path: Path) -> None:
    written(tmp_path / "run", {"a": FIGURE})
    document = tmp_path / "README.md"
    document.write_text("Kept 0.574 (measured).", "utf-8")
    assert len(evidence_check.document_faults(document, tmp_path)) == 1
    document.write_text("Kept 0.574 ([measured](run/result.json)).", "utf-8")
    assert evidence_check.document_faults(document, tmp_path) == []


def test_a_changed_record_no_longer_holds_its_card(tmp_path: Path) -> None:
    card = tmp_path / "dialogue_act"
    shutil.copytree(ROOT / "models" / "dialogue_act", card)
    assert evidence_check.document_faults(card / "README.md", tmp_path) == []
    record = json.loads((card / "result.json").read_text("utf-8"))
    record["test"]["figures"]["accuracy"]["value"] += 0.01
    (card / "result.json").write_text(json.dumps(record), "utf-8")
    (found,) = evidence_check.document_faults(card / "README.md", tmp_path)
    assert "0.77" in found
