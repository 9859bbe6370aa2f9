"""Job word-error-rate: what the engine understands of recorded conversations.

The recordings are cut into turns and transcribed as the engine does it, with the same speech
detection, commit rule and recogniser. A word that was said belongs to the turn in whose sound
its middle lies; those that lie in no turn are told apart. Words of people who speak at once
stand in the order in which they begin. Only recordings are judged, no speech by a voice.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.clock import SAMPLE_RATE_HZ
from engine.dialogue_act.classifier import DialogueActClassifier
from engine.evaluation.measurement.statistics import cluster_bootstrap
from engine.evaluation.turns.word_alignment import Errors, align, words
from engine.events import Evidence
from engine.records import evidence
from engine.records.evidence import Figure, Interval
from engine.records.keeping import QUOTED
from engine.records.plots import Table, shown
from engine.records.runs import ActiveRun
from engine.settings import GateSettings, SpeechSettings
from engine.training.corpora import conversations
from engine.training.corpora.conversations import Conversation
from engine.trigger.commit import RULES
from engine.trigger.endpointing import Boundary, Endpointer
from engine.trigger.judging import Judge, ModelFiles
from engine.trigger.turn_audio import CHUNK, PRE_ROLL_S, TAIL_S, TurnAudio

RATES = ("word_error_rate", "substitutions", "deletions", "insertions")
"""Shares of the words said in turns."""
_AFTERWARDS_S = 3.0  # silence in which the last turn is committed, whatever the rule


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """A committed turn of a recording: where its sound lies, and the words on both sides."""

    group: str
    start_s: float
    end_s: float
    heard: str
    said: str


def run(job: ActiveRun, *, data: Path | None, recordings: Path | None) -> dict[str, Any]:
    """Hear every recording with words and count the errors."""
    known = conversations.read(conversations.find(data))
    known += conversations.read(recordings) if recordings is not None else []
    files = ModelFiles.installed()
    judge = Judge(files, SpeechSettings(), lambda step, _: job.phase(step, 0.05))
    turns: list[Turn] = []
    outside: dict[str, list[str]] = {}
    try:
        for number, conversation in enumerate(known):
            job.phase(f"Hearing {conversation.name}", 0.1 + 0.85 * number / len(known))
            found = list(heard(conversation, judge))
            turns += found
            outside.setdefault(conversation.group, []).extend(_outside(conversation, found))
    finally:
        judge.close()
    result = compare(job, turns, outside, DialogueActClassifier.load(files.dialogue_act))
    _say(job, result)
    return result


def heard(conversation: Conversation, judge: Judge) -> Iterator[Turn]:
    """The turns that the engine commits, with its default settings."""
    rule = RULES[GateSettings().patience]
    endpointer, sound = Endpointer(SpeechSettings(), rule.longest_ms), TurnAudio()
    afterwards = np.zeros(round(_AFTERWARDS_S * SAMPLE_RATE_HZ), np.float32)
    audio = np.concatenate((conversation.audio, afterwards))
    start_s, end_s, text = 0.0, 0.0, ""
    judge.predictor.reset()
    for end in range(CHUNK, len(audio) + 1, CHUNK):
        chunk, now_s = audio[end - CHUNK : end], end / SAMPLE_RATE_HZ
        judge.predictor.update(chunk)
        sound.keep(chunk, in_turn=endpointer.in_turn)
        boundary = endpointer.update(now_s - CHUNK / SAMPLE_RATE_HZ, now_s, judge.predictor.speech)
        if boundary is Boundary.TURN_STARTED:
            start_s = max(now_s - PRE_ROLL_S, end_s)
        elif boundary is Boundary.PAUSE_STARTED:
            end_s = endpointer.onset_s + TAIL_S
            text = judge.judge(sound.speech(now_s - endpointer.onset_s)).text
            endpointer.commit_ms = rule.commit_ms(judge.predictor.p_end_after)
        elif boundary is Boundary.COMMIT_DUE:
            yield Turn(
                group=conversation.group,
                start_s=start_s,
                end_s=end_s,
                heard=text,
                said=" ".join(_said(conversation, start_s, end_s)),
            )


def _said(conversation: Conversation, start_s: float, end_s: float) -> list[str]:
    """The words whose middle lies between two times."""
    return [
        word.text
        for word in conversation.spoken
        if start_s <= (word.start_s + word.end_s) / 2 < end_s
    ]


def _outside(conversation: Conversation, turns: list[Turn]) -> list[str]:
    """The words that were said in no turn."""
    edges = [0.0, *(at for turn in turns for at in (turn.start_s, turn.end_s)), np.inf]
    return [
        word
        for start_s, end_s in zip(edges[::2], edges[1::2], strict=True)
        for word in _said(conversation, start_s, end_s)
    ]


def compare(
    job: ActiveRun,
    turns: list[Turn],
    outside: dict[str, list[str]],
    classifier: DialogueActClassifier,
) -> dict[str, Any]:
    """Error rates, and verdicts that the words said would have changed, from turns by meeting.

    `outside` holds the words of each meeting that lie in no turn.
    """
    groups = sorted({turn.group for turn in turns} | set(outside))
    totals = np.zeros((len(groups), 7))  # S, D, I, said in turns, said outside, changed, turns
    listed = []
    for turn in turns:
        errors = align(words(turn.said), words(turn.heard))
        deep = [_deep(classifier, text) for text in (turn.said, turn.heard)]
        counted = bool(turn.said or turn.heard)
        totals[groups.index(turn.group)] += (
            *(errors.substitutions, errors.deletions, errors.insertions, errors.reference, 0),
            *(counted and deep[0] != deep[1], counted),
        )
        listed.append(_record(turn, errors, deep))
    for group, missed in outside.items():
        totals[groups.index(group), 4] += len(words(" ".join(missed)))
    figures = _figures(job, totals)
    return {
        "definition": "turns as the engine cuts them; words in lower case, without punctuation "
        "and fillers; overlapping speakers in the order in which their words begin",
        "counts": {
            "meetings": len(groups),
            "turns": len(turns),
            "turns_with_words": int(totals[:, 6].sum()),
            "words_in_turns": int(totals[:, 3].sum()),
            "words_outside_turns": int(totals[:, 4].sum()),
        },
        **figures,
        QUOTED: {"turns": listed},
        **shown(tables=[_table(listed)]),
    }


def _table(turns: list[dict[str, Any]]) -> Table:
    return Table(
        title="Turns, as said and as heard",
        quotes=True,
        columns=("meeting", "from, s", "said", "heard", "errors", "words"),
        rows=[
            [
                turn["meeting"],
                f"{turn['start_s']:.1f}",
                turn["said"],
                turn["heard"],
                turn["errors"],
                turn["words"],
            ]
            for turn in turns
        ],
    )


def _figures(job: ActiveRun, totals: NDArray[np.float64]) -> dict[str, Any]:
    names = (*RATES, "with_words_outside_turns_deleted", "verdicts_changed")
    values = _rates(totals.sum(axis=0, keepdims=True))[0]
    intervals: list[Interval | None] = [None] * len(names)
    with suppress(ValueError):  # one meeting, or a resample without words: no interval
        intervals = list(cluster_bootstrap(totals, _rates, unit="meetings"))
    return {
        name: Figure(value=float(value), evidence=job.evidence, interval=interval).record()
        if np.isfinite(value)
        else Figure(value=None, evidence=Evidence.UNAVAILABLE, reason="no words were said").record()
        for name, value, interval in zip(names, values, intervals, strict=True)
    }


def _rates(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """From sums [n, 7] to the six figures [n, 6]."""
    errors, said, outside = sums[:, :3].sum(axis=1), sums[:, 3], sums[:, 4]
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.column_stack(
            [
                errors / said,
                *(sums[:, kind] / said for kind in range(3)),
                (errors + outside) / (said + outside),
                sums[:, 5] / sums[:, 6],
            ]
        )


def _deep(classifier: DialogueActClassifier, text: str) -> bool:
    """The verdict that the gate would see; nothing understood is nothing deep."""
    return bool(text) and classifier.judge(text).p_deep >= GateSettings().theta_deep


def _record(turn: Turn, errors: Errors, deep: list[bool]) -> dict[str, Any]:
    return {
        "meeting": turn.group,
        "start_s": round(turn.start_s, 3),
        "end_s": round(turn.end_s, 3),
        "said": turn.said,
        "heard": turn.heard,
        "errors": errors.total,
        "words": errors.reference,
        "deep_by_words_said": deep[0],
        "deep_as_heard": deep[1],
    }


def _say(job: ActiveRun, result: dict[str, Any]) -> None:
    for name in (*RATES, "with_words_outside_turns_deleted", "verdicts_changed"):
        job.note(f"{name.replace('_', ' ')}: {evidence.words(result[name])}")
    job.metric(
        word_error_rate=result["word_error_rate"]["value"],
        verdicts_changed=result["verdicts_changed"]["value"],
    )
