"""The translations are complete, and what the window loads is made from them."""

from __future__ import annotations

import importlib.util
import shutil
import string
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]
GERMAN = ROOT / "app" / "languages" / "de.ts"


@pytest.fixture(scope="module")
def languages() -> ModuleType:
    spec = importlib.util.spec_from_file_location("languages", ROOT / "packaging" / "languages.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def holes(text: str) -> set[tuple[str, str]]:
    """The placeholders of a text, with how they are written."""
    return {(name, form or "") for _, name, form, _ in string.Formatter().parse(text) if name}


def extracted(languages: ModuleType, files: list[Path], folder: Path) -> Path:
    """The translations, brought up to date with these files in another place."""
    copy = folder / "de.ts"
    shutil.copy(GERMAN, copy)
    languages.extract(files, copy)
    return copy


def test_every_text_of_the_code_is_translated(languages: ModuleType, tmp_path: Path) -> None:
    copy = extracted(languages, languages.sources(ROOT / "app"), tmp_path)
    assert languages.unfinished(copy) == []
    known = {message[:2] for message in languages.messages(GERMAN)}
    assert {message[:2] for message in languages.messages(copy)} == known
    assert len(known) > 300


def test_a_text_without_translation_is_found(languages: ModuleType, tmp_path: Path) -> None:
    new = tmp_path / "new.py"
    new.write_text('class New(QObject):\n    x = self.tr("Not yet " "known")\n', "utf-8")
    copy = extracted(languages, [*languages.sources(ROOT / "app"), new], tmp_path)
    assert languages.unfinished(copy) == [("New", "Not yet known")]


def test_what_the_engine_says_is_found(languages: ModuleType) -> None:
    code = """
_WHY = "a reason"
job.phase("A phase", 0.5)
job.phase(f"Phase {n}")
raise Unreadable(_WHY)
log.info("not shown")
"""
    assert list(languages.said(code)) == ["A phase", "a reason"]
    assert "Compare with and without PADS" in languages.jobs()


def test_placeholders_are_those_of_the_text(languages: ModuleType) -> None:
    wrong = [
        text
        for _, text, words in languages.messages(GERMAN)
        if words is not None and holes(words) != holes(text)
    ]
    assert wrong == []


def test_shortcut_letters_stay(languages: ModuleType) -> None:
    lost = [
        text
        for _, text, words in languages.messages(GERMAN)
        if words is not None and text.count("&") != words.count("&")
    ]
    assert lost == []


def test_what_the_window_loads_is_made_from_the_translations(
    languages: ModuleType, tmp_path: Path
) -> None:
    compiled = tmp_path / "de.qm"
    languages.compile_to(GERMAN, compiled)
    assert compiled.read_bytes() == GERMAN.with_suffix(".qm").read_bytes()
