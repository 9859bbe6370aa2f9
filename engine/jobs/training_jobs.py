"""Jobs that make or train something."""

from __future__ import annotations

from engine.jobs.job import Job, Parameter
from engine.jobs.layerskip_jobs import LAYERSKIP
from engine.jobs.material import TURN_MATERIAL, data_of

TRAINING = (
    Job(
        name="train-dialogue-act",
        title="Train the dialogue-act classifier",
        description="Fits the classifier that decides whether an answer needs depth on "
        "DailyDialog, and evaluates it on the official test split.",
        entry="engine.training.classifiers.dialogue_act:run",
        parameters=(
            data_of("dailydialog.zip"),
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
        entry="engine.training.classifiers.frequent_words:run",
        parameters=(
            data_of("dailydialog.zip"),
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
        "conversations the model holds with DailyDialog's and AMI's speakers, and measures on "
        "held-out prompts how often it guesses right, before and after. What is served cannot "
        "change. Needs torch and, while it runs, about 1 MB of disk a reply.",
        entry="engine.training.adapters.exit_adapter:run",
        memory_mb=3000,
        disk_mb=2500,
        parameters=(
            data_of("dailydialog.zip"),
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
                name="ami_share",
                kind=float,
                default=0.5,
                minimum=0,
                maximum=1,
                description="of the replies, share that answer speakers of AMI's meetings",
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
        name="train-turn-end",
        title="Train the turn-end head",
        description="Fits P(turn end) at a pause on recorded meetings and generated speech, and "
        "tells its calibration on meetings left out.",
        entry="engine.training.classifiers.turn_end:run",
        parameters=(
            *TURN_MATERIAL,
            Parameter(
                name="install",
                kind=bool,
                default=False,
                description="use the new weights in place of the shipped ones",
            ),
        ),
    ),
    *LAYERSKIP,
)
"""In the order in which they are listed."""
