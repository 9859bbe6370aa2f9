"""The job on real recordings; transcripts that are made wrong must raise the rate."""

import io
import json
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from engine import paths
from engine.dialogue_act.classifier import DialogueActClassifier
from engine.evaluation.turns import word_error_rate
from engine.evaluation.turns.word_error_rate import Turn, compare, heard
from engine.events import Evidence
from engine.records.runs import ActiveRun
from engine.settings import SpeechSettings
from engine.training.corpora import conversations
from engine.trigger.judging import Judge, ModelFiles

MEETINGS = ("EN2002b", "EN2005a", "ES2003b")


@pytest.fixture
def job(tmp_path: Path) -> ActiveRun:
    return ActiveRun(tmp_path, evidence=Evidence.MEASURED, stream=io.StringIO())


@pytest.fixture(scope="module")
def classifier() -> DialogueActClassifier:
    return DialogueActClassifier.load(paths.shipped() / "models" / "dialogue_act")


@pytest.fixture(scope="module")
def folder(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three of the meetings."""
    folder = tmp_path_factory.mktemp("meetings")
    for meeting in MEETINGS:
        for file in (data / "audio").glob(f"ami_{meeting}_*"):
            shutil.copy(file, folder)
    return folder


@pytest.fixture(scope="module")
def turns(models: Path, folder: Path) -> Iterator[list[Turn]]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PADS_MODELS", str(models))
        judge = Judge(ModelFiles.installed(), SpeechSettings(), lambda step, fraction: None)
    try:
        yield [t for one in conversations.read(folder) for t in heard(one, judge)]
    finally:
        judge.close()


def test_real_turns_are_mostly_understood_and_wrong_words_raise_the_rate(
    job: ActiveRun, turns: list[Turn], classifier: DialogueActClassifier
) -> None:
    found = {
        name: compare(job, changed, {}, classifier)
        for name, changed in {
            "as heard": turns,
            "as said": [replace(turn, heard=turn.said) for turn in turns],
            "another's": [
                replace(turn, heard=other.heard)
                for turn, other in zip(turns, turns[1:] + turns[:1], strict=True)
            ],
            "one more": [replace(turn, heard=turn.heard + " banana") for turn in turns],
        }.items()
    }
    rate = {name: result["word_error_rate"]["value"] for name, result in found.items()}
    assert rate["as said"] == 0
    assert found["as said"]["verdicts_changed"]["value"] == 0
    assert 0.05 < rate["as heard"] < 0.8
    assert rate["another's"] > rate["as heard"]
    assert rate["one more"] > rate["as heard"]
    for result in found.values():
        parts = (result[name]["value"] for name in word_error_rate.RATES[1:])
        assert sum(parts) == pytest.approx(result["word_error_rate"]["value"])


def test_turns_cover_sound_in_order_and_hold_their_words(turns: list[Turn], folder: Path) -> None:
    for conversation in conversations.read(folder):
        mine = [turn for turn in turns if turn.group == conversation.group]
        edges = [at for turn in mine for at in (turn.start_s, turn.end_s)]
        assert mine
        assert edges == sorted(edges)
        in_turns = [word for turn in mine for word in turn.said.split()]
        missed = word_error_rate._outside(conversation, mine)
        assert len(in_turns) + len(missed) == len(conversation.spoken)


def test_a_question_heard_as_a_statement_changes_the_verdict(
    job: ActiveRun, classifier: DialogueActClassifier
) -> None:
    right = Turn(group="A", start_s=0, end_s=1, heard="Yes, I do.", said="yes I do")
    wrong = Turn(group="B", start_s=0, end_s=2, heard="I was tired", said="what is your name")
    empty = Turn(group="B", start_s=2, end_s=3, heard="", said="")
    result = compare(job, [right, wrong, empty], {"B": ["so", "um"]}, classifier)
    assert result["verdicts_changed"]["value"] == pytest.approx(1 / 2)
    assert result["word_error_rate"]["value"] == pytest.approx(4 / 7)
    assert result["with_words_outside_turns_deleted"]["value"] == pytest.approx(5 / 8)
    assert result["word_error_rate"]["low"] == 0
    assert "2 meetings" in result["word_error_rate"]["method"]


def test_silence_has_no_rate(job: ActiveRun, classifier: DialogueActClassifier) -> None:
    result = compare(job, [], {"A": []}, classifier)
    assert result["word_error_rate"]["evidence"] == "unavailable"


def test_the_job_writes_a_record_of_every_turn(
    job: ActiveRun, models: Path, folder: Path, turns: list[Turn], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PADS_MODELS", str(models))
    result = word_error_rate.run(job, data=folder, recordings=None)
    json.dumps(result, allow_nan=False)
    assert [turn["heard"] for turn in result["quoted"]["turns"]] == [turn.heard for turn in turns]
    assert result["counts"]["meetings"] == len(MEETINGS)
    assert result["word_error_rate"]["evidence"] == "measured"
