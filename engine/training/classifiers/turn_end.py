"""Job train-turn-end: the calibrated head over what is known at a pause.

Every pause gives one row for each tenth of a second that its silence lasted, a turn end as if
the silence after it went on; so the head learns how the chance of a turn end grows with the
silence. Cues are chosen among `CHOICES` by log loss on meetings that were left out, and
calibration is told on left-out meetings only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.errors import DataUnavailable, JobFailed
from engine.evaluation.measurement.calibration import calibration
from engine.evaluation.turns import turn_pictures
from engine.records.evidence import Figure, words
from engine.records.plots import shown
from engine.records.runs import ActiveRun
from engine.store.fetching import locate
from engine.training import installing
from engine.training.classifiers.turn_pauses import Pause, heard
from engine.training.corpora import archive, conversations, dailydialog, generated
from engine.training.model_card import turn_end_card
from engine.turntaking import prosody
from engine.turntaking.head import Head
from engine.turntaking.predictor import TurnTakingPredictor
from engine.turntaking.vad import SpeechDetector

CHOICES = {
    "completeness and silence": ("completeness", "silence"),
    "length too": ("completeness", "silence", "length"),
    "prosody too": ("completeness", "silence", "length", *prosody.NAMES),
}
STEPS_S = tuple(round(0.1 * step, 1) for step in range(1, 17))
"""Silences after which a pause is looked at, up to 1.6 s."""

_REGULARISATION = 1.0


@dataclass(frozen=True, slots=True)
class Material:
    """Pauses of recorded meetings, and of generated speech, which only ever trains."""

    recorded: list[Pause]
    generated: list[Pause]
    sources: dict[str, Any]

    @property
    def meetings(self) -> list[str]:
        """Names of the recorded groups."""
        return sorted({pause.group for pause in self.recorded})

    def without(self, meeting: str) -> Material:
        """All but one meeting."""
        kept = [pause for pause in self.recorded if pause.group != meeting]
        return Material(kept, self.generated, self.sources)


def run(
    job: ActiveRun,
    *,
    data: Path | None,
    recordings: Path | None,
    turns: int,
    seed: int,
    install: bool,
) -> dict[str, Any]:
    """Hear all material, choose the cues, fit the head, and tell its calibration."""
    material = gather(job, data, recordings, turns, seed)
    job.phase("Choosing cues on left-out meetings", 0.9)
    losses = {name: held_out_loss(material, cues) for name, cues in CHOICES.items()}
    chosen = min(losses, key=lambda name: losses[name])
    head = fit(material, CHOICES[chosen])
    licences = f"AMI CC BY 4.0; DailyDialog {dailydialog.LICENCE}"
    head.save(job.folder / "weights", {"run": job.name, "licence": licences})
    by_meeting = {
        meeting: fit(material.without(meeting), CHOICES[chosen]) for meeting in material.meetings
    }
    recorded = material.recorded
    onset = np.array([by_meeting[p.group].p_end(p.cues, 0.0) for p in recorded])
    raw = np.array([pause.cues.p_complete for pause in recorded])
    over = np.array([pause.ends_turn for pause in recorded])
    result: dict[str, Any] = {
        "run": job.name,
        "sources": material.sources,
        "held_out_log_loss": {
            name: Figure(value=loss, evidence=job.evidence).record()
            for name, loss in losses.items()
        },
        "chosen": chosen,
        "intercept": head.intercept,
        "coefficients": dict(head.coefficients),
        "calibration_left_out_meetings": calibration(onset, over, job.evidence),
        "calibration_smart_turn": calibration(raw, over, job.evidence),
    }
    told = {
        "ours, left-out meetings": result["calibration_left_out_meetings"],
        "smart-turn": result["calibration_smart_turn"],
    }
    result |= shown(
        [turn_pictures.reliability(told, job.evidence)], [turn_pictures.calibrations(told)]
    )
    _say(job, result)
    if install:
        installing.install(job, "turn_end", result, turn_end_card)
    return result


def gather(
    job: ActiveRun, data: Path | None, recordings: Path | None, turns: int, seed: int
) -> Material:
    """Pauses of the recordings in `data` and `recordings` and of `turns` generated turns.

    Raises `DataUnavailable` when no two meetings give pauses of both kinds.
    """
    predictor = TurnTakingPredictor(locate("smart-turn-v3.2"), SpeechDetector(locate("silero-vad")))
    known = conversations.read(conversations.find(data))
    known += conversations.read(recordings) if recordings is not None else []
    recorded = _hear(job, predictor, known, 0.0)
    if len({pause.group for pause in recorded}) < 2 or len({p.ends_turn for p in recorded}) < 2:
        raise DataUnavailable(
            "The recordings hold fewer than two meetings, or pauses of one kind only",
            remedy="add recordings with words, see --recordings",
        )
    spoken = _generated(job, data, turns, seed)
    material = Material(recorded, _hear(job, predictor, spoken, 0.2), {})
    material.sources.update(
        {
            name: {
                "conversations": len(heard_in),
                "groups": sorted({conversation.group for conversation in heard_in}),
                "pauses": len(pauses),
                "turn_ends": sum(pause.ends_turn for pause in pauses),
            }
            for name, heard_in, pauses in (
                ("recorded", known, recorded),
                ("generated", spoken, material.generated),
            )
        }
    )
    return material


def _generated(
    job: ActiveRun, data: Path | None, turns: int, seed: int
) -> list[conversations.Conversation]:
    if turns == 0:
        return []
    if not generated.installed():
        job.note(f"{generated.PROGRAM} is not installed: no generated speech takes part")
        return []
    try:
        place = dailydialog.find(data)
    except DataUnavailable as exc:
        job.note(f"no generated speech takes part: {exc}")
        return []
    with archive.opened(place) as corpus:
        texts = dailydialog.read(corpus, "train").texts
    return list(generated.conversations(texts, turns, seed))


def _hear(
    job: ActiveRun,
    predictor: TurnTakingPredictor,
    sounds: list[conversations.Conversation],
    begun: float,
) -> list[Pause]:
    found: list[Pause] = []
    for number, conversation in enumerate(sounds):
        share = 0.2 if begun == 0 else 0.7
        job.phase("Hearing pauses", begun + share * number / len(sounds))
        found += heard(conversation, predictor)
    return found


def rows(
    pauses: Sequence[Pause], cues: Sequence[str]
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Cues [n, k] and labels [n] of every tenth of a second that each pause was silent."""
    seen = [
        (pause, step)
        for pause in pauses
        for step in STEPS_S
        if pause.ends_turn or step == STEPS_S[0] or step <= pause.silence_s
    ]
    table = [[pause.cues.values(step)[name] for name in cues] for pause, step in seen]
    return np.array(table, np.float64), np.array([pause.ends_turn for pause, _ in seen])


def fit(material: Material, cues: Sequence[str]) -> Head:
    """The head that fits all of the material; `JobFailed` when only one label occurs."""
    from sklearn.linear_model import LogisticRegression
    from threadpoolctl import threadpool_limits

    table, over = rows([*material.recorded, *material.generated], cues)
    if over.all() or not over.any():
        raise JobFailed("All pauses have the same label", remedy="add other recordings")
    centre, spread = table.mean(axis=0), table.std(axis=0) + 1e-9
    with threadpool_limits(1):
        model = LogisticRegression(C=_REGULARISATION, max_iter=1000)
        model.fit((table - centre) / spread, over)
    weights = model.coef_[0] / spread
    return Head(
        float(model.intercept_[0] - weights @ centre),
        {name: float(weight) for name, weight in zip(cues, weights, strict=True)},
    )


def held_out_loss(material: Material, cues: Sequence[str]) -> float:
    """Mean log loss over all rows of recorded meetings, each judged by a head without it."""
    losses: list[NDArray[np.float64]] = []
    for meeting in material.meetings:
        head = fit(material.without(meeting), cues)
        table, over = rows([p for p in material.recorded if p.group == meeting], cues)
        weights = np.array([head.coefficients[name] for name in cues])
        score = np.where(over, 1, -1) * (table @ weights + head.intercept)
        losses.append(np.logaddexp(0, -score))
    return float(np.concatenate(losses).mean())


def chosen_head(material: Material) -> Head:
    """The head that the job would make of this material: its cues are chosen inside it."""
    best = min(CHOICES.values(), key=lambda cues: held_out_loss(material, cues))
    return fit(material, best)


def _say(job: ActiveRun, result: dict[str, Any]) -> None:
    for name, loss in result["held_out_log_loss"].items():
        job.note(f"log loss on left-out meetings, {name}: {words(loss)}")
    job.note(f"chosen: {result['chosen']}")
    for who in ("left_out_meetings", "smart_turn"):
        found = result[f"calibration_{who}"]
        told = ", ".join(f"{name} {words(found[name])}" for name in ("brier", "ece", "log_loss"))
        job.note(f"{who.replace('_', ' ')}: {told}")
