"""Settings: what a file may say, what is refused, and what saving leaves alone."""

from __future__ import annotations

import string
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest
import tomlkit
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.errors import SettingsRejected
from engine.settings import (
    AppearanceSettings,
    DecoderSettings,
    GateSettings,
    Settings,
    SpeechSettings,
    VoiceSettings,
    load,
    save,
    set_aside,
)

KINDS = (
    Settings,
    SpeechSettings,
    GateSettings,
    DecoderSettings,
    VoiceSettings,
    AppearanceSettings,
)
TEXT = st.text(st.characters(codec="utf-8"), max_size=40)
QUICK = settings(
    max_examples=60,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


def allowed(kind: type[Any]) -> st.SearchStrategy[Any]:
    """Any settings of a kind that a file may give."""
    return st.builds(kind, **{item.name: _value(item) for item in fields(kind)})


def _value(item: Any) -> st.SearchStrategy[Any]:
    limits = item.metadata
    if "choices" in limits:
        return st.sampled_from(limits["choices"])
    if "low" in limits and isinstance(item.default, float):
        return st.floats(limits["low"], limits["high"])
    if "low" in limits:
        return st.integers(limits["low"], limits["high"])
    if isinstance(item.default, bool):
        return st.booleans()
    if item.default is None:
        return st.none() | TEXT
    if isinstance(item.default, str):
        return TEXT
    return allowed(next(kind for kind in KINDS if kind.__name__ == item.type))


def ordered(chosen: Settings) -> Settings:
    """With thresholds in the order that `load` demands."""
    speech = chosen.speech
    leave, enter = sorted((speech.leave, speech.enter))
    return replace(
        chosen,
        speech=replace(speech, leave=leave, enter=enter),
    )


def rejected(path: Path, text: str) -> str:
    """The sentence `load` refuses this file with; the file must stay as it is."""
    path.write_text(text, "utf-8")
    with pytest.raises(SettingsRejected) as caught:
        load(path)
    assert path.read_text("utf-8") == text
    return str(caught.value)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "settings.toml"


def test_defaults_stand_where_no_file_is(path: Path) -> None:
    assert load(path) == Settings()


def test_every_default_is_allowed() -> None:
    for kind in KINDS:
        for item in fields(kind):
            if "low" in item.metadata:
                assert item.metadata["low"] <= item.default <= item.metadata["high"]


@QUICK
@given(chosen=allowed(Settings))
def test_what_is_saved_is_loaded(path: Path, chosen: Settings) -> None:
    chosen = ordered(chosen)
    path.unlink(missing_ok=True)
    save(chosen, path)
    assert load(path) == chosen


@QUICK
@given(first=allowed(Settings), second=allowed(Settings))
def test_saving_over_other_settings_leaves_nothing_of_them(
    path: Path, first: Settings, second: Settings
) -> None:
    save(ordered(first), path)
    save(ordered(second), path)
    assert load(path) == ordered(second)


@QUICK
@given(unknown=st.dictionaries(st.text(string.ascii_lowercase, min_size=15), TEXT))
def test_saving_keeps_what_it_does_not_know(path: Path, unknown: dict[str, str]) -> None:
    document = {**unknown, "gate": {"theta_end": 0.7, **unknown}, "later_version": unknown}
    path.write_text(f"# mine\n{tomlkit.dumps(document)}", "utf-8")
    save(replace(load(path), pads=False), path)
    text = path.read_text("utf-8")
    assert text.startswith("# mine\n")
    kept = tomlkit.parse(text).unwrap()
    assert kept["later_version"] == unknown
    for name, value in unknown.items():
        assert kept[name] == kept["gate"][name] == value
    assert load(path) == replace(Settings(), pads=False, gate=GateSettings(theta_end=0.7))


def test_a_file_of_an_older_version_is_taken_over_and_nothing_of_it_is_lost(path: Path) -> None:
    older = {
        "pads": False,
        "microphone": "Desk",
        "record_audio": True,  # a setting no more, as those of the gate below
        "speech": {"enter": 0.6, "leave": 0.3},
        "gate": {"theta_end": 0.6, "commit_ms": 700, "sure_commit_ms": 560, "sure_end": 0.95},
        "decoder": {"exit_layer": 10, "threads": 3},
    }
    path.write_text(f"# since the first day\n{tomlkit.dumps(older)}", "utf-8")
    chosen = load(path)
    assert chosen == Settings(
        pads=False,
        microphone="Desk",
        speech=SpeechSettings(enter=0.6, leave=0.3),
        gate=GateSettings(theta_end=0.6),
        decoder=DecoderSettings(exit_layer=10, threads=3),
    )
    save(replace(chosen, data_folder="C:\\corpora\\new"), path)
    text = path.read_text("utf-8")
    kept = tomlkit.parse(text).unwrap()
    assert text.startswith("# since the first day\n")
    assert {name: kept[name] for name in ("pads", "microphone", "record_audio")} == {
        name: older[name] for name in ("pads", "microphone", "record_audio")
    }
    for table in ("speech", "gate", "decoder"):
        assert older[table].items() <= kept[table].items()
    assert load(path).data_folder == "C:\\corpora\\new"


@pytest.mark.parametrize(
    "text",
    [
        "[gate]\ntheta_end = 0.7\n",
        "gate.theta_end = 0.7\n",
        "gate = { theta_end = 0.7 }\n",
        "[other]\nx = 1\n\n[gate]\ntheta_end = 0.7 # high\n",
    ],
)
def test_every_way_to_write_a_table_can_be_saved_over(path: Path, text: str) -> None:
    path.write_text(text, "utf-8")
    chosen = replace(load(path), microphone="Desk", pads=False)
    assert chosen.gate.theta_end == 0.7
    save(chosen, path)
    assert load(path) == chosen


def test_value_that_became_unset_leaves_the_file(path: Path) -> None:
    save(Settings(microphone="Desk"), path)
    save(Settings(microphone=None), path)
    assert "microphone" not in path.read_text("utf-8")


def test_whole_number_is_good_for_a_fraction(path: Path) -> None:
    path.write_text("[gate]\ntheta_end = 1\n", "utf-8")
    theta_end = load(path).gate.theta_end
    assert (theta_end, type(theta_end)) == (1.0, float)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("pads = 1", "pads = 1 has the wrong type"),
        ("microphone = 3", "microphone = 3 has the wrong type"),
        ("gate = 3", "gate = 3 is not a table"),
        ("[decoder]\nthreads = 2.0", "decoder.threads = 2.0 has the wrong type"),
        ("[decoder]\nthreads = true", "decoder.threads = True has the wrong type"),
        ("[decoder]\nthreads = 0", "decoder.threads = 0 is not within 1 to 256"),
        ("[gate]\ntheta_end = -0.1", "gate.theta_end = -0.1 is not within 0 to 1"),
        ("[gate]\ntheta_end = nan", "gate.theta_end = nan is not within 0 to 1"),
        ("[gate]\nbranch_timeout_s = inf", "is not within 1 to 600"),
        (f"[gate]\ntheta_end = 1{'0' * 400}", "is not within 0 to 1"),
        ("[gate]\npatience = 'hasty'", "'hasty' is none of balanced, eager, patient"),
        ("[decoder]\nspeculation = 'often'", "'often' is none of always, never, auto"),
        ("[decoder]\nexit_policy = 'deepest'", "'deepest' is none of verified, always-deep"),
        ("[speech]\nenter = 0.3\nleave = 0.4", "speech.leave = 0.4 lies above speech.enter"),
        ("[gate", "cannot be read"),
        ("pads = true\npads = false", "cannot be read"),
    ],
)
def test_what_cannot_be_used_is_named_and_left_alone(path: Path, text: str, sentence: str) -> None:
    assert sentence in rejected(path, text)


def test_file_that_is_not_text_is_named(path: Path) -> None:
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(SettingsRejected, match=r"settings\.toml cannot be read"):
        load(path)


def test_folder_in_place_of_the_file_is_named(path: Path) -> None:
    path.mkdir()
    with pytest.raises(SettingsRejected, match="cannot be read"):
        load(path)


def test_saving_does_not_overwrite_what_it_cannot_read(path: Path) -> None:
    path.write_text("[gate", "utf-8")
    with pytest.raises(SettingsRejected, match="cannot be read"):
        save(Settings(), path)
    assert path.read_text("utf-8") == "[gate"


def test_saving_where_no_file_can_be_is_named(tmp_path: Path) -> None:
    (tmp_path / "config").write_text("a file where the folder should be")
    with pytest.raises(SettingsRejected):
        save(Settings(), tmp_path / "config" / "settings.toml")


def test_full_disk_leaves_the_old_file(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save(Settings(microphone="Desk"), path)
    before = path.read_text("utf-8")

    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(SettingsRejected, match="No space left"):
        save(Settings(), path)
    assert path.read_text("utf-8") == before


def test_a_broken_file_is_set_aside_and_never_over_an_older_one(path: Path) -> None:
    kept = []
    for text in ("not = toml = at all", "[gate]\ntheta_end = 7"):
        rejected(path, text)
        kept.append(set_aside(path))
        assert kept[-1].read_text("utf-8") == text
        assert load(path) == Settings()
    assert len(set(kept)) == 2


def test_a_file_that_is_gone_cannot_be_set_aside(path: Path) -> None:
    with pytest.raises(SettingsRejected, match="cannot be set aside"):
        set_aside(path)
