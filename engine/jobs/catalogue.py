"""Every background job: what it does, its typed parameters, and the function that does it.

The window makes a form of the parameters, the command line makes flags. The function is named
rather than imported, so that only the job's own process loads what it needs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from engine.errors import JobFailed

Value = int | float | str | bool | Path | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """One typed parameter; a default of None means "not given"."""

    name: str
    kind: type[int] | type[float] | type[str] | type[bool] | type[Path]
    default: Value
    description: str
    minimum: float | None = None
    maximum: float | None = None
    choices: tuple[str, ...] = ()

    @property
    def flag(self) -> str:
        """Its name on the command line."""
        return "--" + self.name.replace("_", "-")

    def checked(self, value: Value) -> Value:
        """The value in the parameter's type; `JobFailed` when it cannot be used."""
        if value is None and self.default is None:
            return None
        converted = self._converted(value)
        if self.choices and converted not in self.choices:
            raise self._rejected(value, f"choose one of {', '.join(self.choices)}")
        if isinstance(converted, (int, float)):
            if self.minimum is not None and not converted >= self.minimum:
                raise self._rejected(value, f"give at least {self.minimum:g}")
            if self.maximum is not None and not converted <= self.maximum:
                raise self._rejected(value, f"give at most {self.maximum:g}")
        return converted

    def _converted(self, value: Value) -> Value:
        if self.kind is bool or isinstance(value, bool):
            if self.kind is bool and isinstance(value, bool):
                return value
            raise self._rejected(value, "give true or false")
        try:
            converted = self.kind(value)  # type: ignore[arg-type]
        except (TypeError, ValueError) as exc:
            raise self._rejected(value, f"give a value of type {self.kind.__name__}") from exc
        # The job runs in a process of its own, to which a relative path may mean another file.
        return converted.expanduser().absolute() if isinstance(converted, Path) else converted

    def _rejected(self, value: Value, remedy: str) -> JobFailed:
        return JobFailed(f"The parameter {self.flag} cannot be {value!r}", remedy=remedy)


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """A kind of background job; `entry` is `module:function`, called with an `ActiveRun`."""

    name: str
    title: str
    description: str
    entry: str
    parameters: tuple[Parameter, ...] = ()

    def resolved(self, given: Mapping[str, Value]) -> dict[str, Value]:
        """All parameters, defaults filled in; `JobFailed` for unknown names and bad values."""
        known = {parameter.name for parameter in self.parameters}
        for name in given:
            if name not in known:
                raise JobFailed(
                    f"The job {self.name} has no parameter {name!r}",
                    remedy=f"it takes {', '.join(sorted(known)) or 'none'}",
                )
        return {p.name: p.checked(given.get(p.name, p.default)) for p in self.parameters}

    def function(self) -> Any:
        """The entry point itself."""
        module, _, name = self.entry.partition(":")
        return getattr(import_module(module), name)


def _data(archive: str) -> Parameter:
    return Parameter(
        name="data",
        kind=Path,
        default=None,
        description=f"folder that holds {archive}, or the archive "
        "(default: PADS_DATA or the data folder in the settings)",
    )


_TURN_MATERIAL = (
    Parameter(
        name="data",
        kind=Path,
        default=None,
        description="folder of the data: recordings with words in it or its audio/, "
        "dailydialog.zip (default: PADS_DATA or the data folder in the settings)",
    ),
    Parameter(
        name="recordings",
        kind=Path,
        default=None,
        description="one more folder of recordings: NAME.wav beside NAME.words.json",
    ),
    Parameter(
        name="turns",
        kind=int,
        default=240,
        minimum=0,
        maximum=5000,
        description="turns spoken by espeak-ng to train with besides, 0 for none",
    ),
    Parameter(
        name="seed", kind=int, default=1, minimum=0, description="random seed of their pauses"
    ),
)


JOBS = (
    Job(
        name="train-dialogue-act",
        title="Train the dialogue-act classifier",
        description="Fits the classifier that decides whether an answer needs depth on "
        "DailyDialog, and evaluates it on the official test split.",
        entry="engine.training.dialogue_act:run",
        parameters=(
            _data("dailydialog.zip"),
            Parameter(
                name="seed", kind=int, default=42, minimum=0, description="random seed of the fit"
            ),
            Parameter(
                name="max_iter",
                kind=int,
                default=1000,
                minimum=1,
                description="most iterations of the regression",
            ),
            Parameter(
                name="install",
                kind=bool,
                default=False,
                description="use the new weights in place of the shipped ones",
            ),
        ),
    ),
    Job(
        name="frequent-words",
        title="Count the most frequent words",
        description="Counts DailyDialog's words for the draft head, which proposes frequent words "
        "only, and measures how much of other dialogues they cover.",
        entry="engine.training.frequent_words:run",
        parameters=(
            _data("dailydialog.zip"),
            Parameter(
                name="words", kind=int, default=16_000, minimum=100, description="words to keep"
            ),
            Parameter(
                name="install",
                kind=bool,
                default=False,
                description="use the new list in place of the shipped one",
            ),
        ),
    ),
    Job(
        name="train-exit-adapter",
        title="Train early exits",
        description="Teaches one extra layer an exit to guess what the whole model would say, on "
        "conversations the model holds with DailyDialog's speakers, and measures on held-out "
        "prompts how often it guesses right, before and after. What is served cannot change. "
        "Needs torch and, while it runs, about 1 MB of disk a reply.",
        entry="engine.training.exit_adapter:run",
        parameters=(
            _data("dailydialog.zip"),
            Parameter(
                name="exits", kind=str, default="4,8,10,15", description="layers to exit after"
            ),
            Parameter(
                name="steps",
                kind=int,
                default=500,
                minimum=0,
                description="training steps; 0 only holds conversations and measures",
            ),
            Parameter(
                name="batch", kind=int, default=8, minimum=1, description="conversations a step"
            ),
            Parameter(
                name="tokens",
                kind=int,
                default=224,
                minimum=112,
                description="longest conversation, in tokens",
            ),
            Parameter(
                name="replies",
                kind=int,
                default=2000,
                minimum=1,
                description="replies of the model to learn from",
            ),
            Parameter(
                name="seed", kind=int, default=42, minimum=0, description="random seed of it all"
            ),
            Parameter(
                name="learning_rate",
                kind=float,
                default=2e-3,
                minimum=0,
                description="highest learning rate",
            ),
            Parameter(
                name="vocabulary",
                kind=int,
                default=8192,
                minimum=0,
                description="tokens the loss tells apart, the most frequent ones; 0 for all",
            ),
            Parameter(
                name="prompts", kind=int, default=200, minimum=2, description="held-out prompts"
            ),
            Parameter(name="threads", kind=int, default=2, minimum=1, description="CPU threads"),
            Parameter(
                name="checkpoint_steps",
                kind=int,
                default=50,
                minimum=1,
                description="steps from one checkpoint to the next",
            ),
            Parameter(
                name="conversations",
                kind=str,
                default="",
                description="earlier runs whose kept conversations to use, separated by commas",
            ),
            Parameter(
                name="resume",
                kind=str,
                default="",
                description="an interrupted run to go on with, under its own parameters",
            ),
            Parameter(
                name="keep_states",
                kind=bool,
                default=False,
                description="keep the conversations' states for other runs",
            ),
            Parameter(
                name="install",
                kind=bool,
                default=False,
                description="draft with the new adapters instead of the shipped ones",
            ),
        ),
    ),
    Job(
        name="pauses",
        title="Measure pauses in real meetings",
        description="Finds every silence inside a turn in the AMI meetings: counts, lengths, and "
        "how many would hide a given amount of work.",
        entry="engine.evaluation.pauses:run",
        parameters=(
            _data("ami_manual_1.7.zip"),
            Parameter(
                name="exclude",
                kind=str,
                default="",
                description="meetings to leave out, separated by commas",
            ),
            Parameter(
                name="work_ms",
                kind=float,
                default=None,
                minimum=0,
                description="also report the share of pauses at least this long, in ms",
            ),
        ),
    ),
    Job(
        name="train-turn-end",
        title="Train the turn-end head",
        description="Fits P(turn end) at a pause on recorded meetings and generated speech, and "
        "tells its calibration on meetings left out.",
        entry="engine.training.turn_end:run",
        parameters=(
            *_TURN_MATERIAL,
            Parameter(
                name="install",
                kind=bool,
                default=False,
                description="use the new weights in place of the shipped ones",
            ),
        ),
    ),
    Job(
        name="turn-end",
        title="Measure false cut-offs and delays",
        description="At every pause of recorded meetings: how often a person is cut off and how "
        "long the answer waits, for speech detection alone, smart-turn and the trained head.",
        entry="engine.evaluation.turn_end:run",
        parameters=_TURN_MATERIAL,
    ),
    Job(
        name="word-error-rate",
        title="Measure how well speech is understood",
        description="Word error rate of recorded meetings, cut into turns and transcribed as the "
        "engine does it, and the share of verdicts that a wrong word changes.",
        entry="engine.evaluation.word_error_rate:run",
        parameters=_TURN_MATERIAL[:2],
    ),
    Job(
        name="compare",
        title="Compare with and without PADS",
        description="Hears one recording twice, without PADS and with it: how much earlier the "
        "first word comes, and whether the replies are the same.",
        entry="engine.evaluation.compare:run",
        parameters=(
            Parameter(
                name="recording",
                kind=Path,
                default=None,
                description="sound file (WAV, FLAC, OGG; default: the first demo)",
            ),
        ),
    ),
    Job(
        name="autotune",
        title="Find the fastest decoding",
        description="Measures thread counts, exit layers, draft lengths and prompt lookup against "
        "plain decoding on this machine, and remembers the fastest for mode auto.",
        entry="engine.evaluation.autotune:run",
        parameters=(
            Parameter(
                name="prompts", kind=int, default=12, minimum=2, description="prompts answered"
            ),
            Parameter(
                name="tokens", kind=int, default=32, minimum=9, description="tokens of each reply"
            ),
            Parameter(
                name="exits", kind=str, default="5,10,20", description="exit layers to measure"
            ),
            Parameter(
                name="drafts", kind=str, default="1,3", description="draft lengths to measure"
            ),
            Parameter(
                name="install",
                kind=bool,
                default=True,
                description="use the choice in mode auto from now on",
            ),
        ),
    ),
)


def find(name: str) -> Job:
    """The job of this name."""
    for job in JOBS:
        if job.name == name:
            return job
    raise JobFailed(f"There is no job {name!r}", remedy="`pads job list` names them all")
