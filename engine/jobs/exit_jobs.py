"""Jobs that measure early exits: acceptance, exit policies, what is said without depth."""

from __future__ import annotations

from pathlib import Path

from engine.jobs.job import Job, Parameter

_DATA = Parameter(
    name="data",
    kind=Path,
    default=None,
    description="folder that holds ami_manual_1.7.zip and dailydialog.zip "
    "(default: PADS_DATA or the data folder in the settings)",
)
_TOKENS = Parameter(
    name="tokens", kind=int, default=48, minimum=2, description="most tokens of a reply"
)
_TRAINED = Parameter(
    name="trained_model",
    kind=Path,
    default=None,
    picks="file",
    description="a model file (GGUF) trained to exit early, to compare with the default model",
)
_AMI_PROMPTS = Parameter(
    name="prompts",
    kind=int,
    default=40,
    minimum=2,
    maximum=40,
    description="prompts of the AMI set, from its first on",
)
_EXIT = Parameter(
    name="exit_layer",
    kind=int,
    default=0,
    minimum=0,
    description="layer to exit after; 0 for half the model's depth",
)

EXITS = (
    Job(
        name="acceptance",
        title="Measure how often early exits guess right",
        description="Lets every early exit guess what the whole model says on AMI and DailyDialog "
        "prompts, untrained and trained, greedy and sampled, and says whether half the depth is "
        "of any use.",
        entry="engine.evaluation.exits.acceptance:run",
        parameters=(
            _DATA,
            Parameter(
                name="prompts",
                kind=int,
                default=40,
                minimum=2,
                maximum=500,
                description="prompts of each set; AMI has 40",
            ),
            _TOKENS,
            Parameter(
                name="exits",
                kind=str,
                default="4,8,10,15",
                description="layers to exit after, besides half the depth",
            ),
            Parameter(
                name="draft_tokens",
                kind=int,
                default=6,
                minimum=1,
                maximum=31,
                description="drafts a round, besides one",
            ),
            Parameter(
                name="temperature",
                kind=float,
                default=0.6,
                minimum=0.05,
                maximum=5,
                description="temperature of the sampled replies",
            ),
            _TRAINED,
            Parameter(
                name="seed", kind=int, default=42, minimum=0, description="seed of the sampling"
            ),
        ),
        disk_mb=300,
    ),
    Job(
        name="policies",
        title="Compare ways to decide what needs depth",
        description="Decides position by position what the whole model must compute, by the "
        "exit's confidence or by the dialogue act, and compares how often the result is right at "
        "the same amount of work.",
        entry="engine.evaluation.exits.policies:run",
        parameters=(
            _DATA,
            _AMI_PROMPTS,
            _EXIT,
            Parameter(
                name="positions",
                kind=str,
                default="prompts",
                choices=("prompts", "replies"),
                description="whose tokens are predicted: the prompts', or those of the replies",
            ),
            _TOKENS,
            _TRAINED,
        ),
        disk_mb=300,
    ),
    Job(
        name="rouge",
        title="Compare replies with what people answered",
        description="Answers the AMI prompts with the whole model and with its early exit alone, "
        "and tells by ROUGE-L how much of a person's answer each has.",
        entry="engine.evaluation.exits.rouge:run",
        parameters=(_DATA, _AMI_PROMPTS, _EXIT, _TOKENS, _TRAINED),
        disk_mb=300,
    ),
)
