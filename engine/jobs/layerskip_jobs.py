"""Jobs around LayerSkip training: the training, its leak check, the export of what it learned."""

from __future__ import annotations

from pathlib import Path

from engine.jobs.job import Job, Parameter
from engine.jobs.material import data_of

_EXCLUDE = Parameter(
    name="exclude",
    kind=str,
    default="auto",
    description="AMI meetings to leave out, separated by commas; auto: those that hold evaluation "
    "items; none: no meeting",
)
_FORMATS = Parameter(
    name="formats",
    kind=str,
    default="Q4_1",
    description="formats to write besides F16, always made from that: Q4_0, Q4_1, Q8_0, Q4_K_M; "
    "the first is compared with the base model",
)


def _whole(name: str, default: int, minimum: int, description: str) -> Parameter:
    return Parameter(name=name, kind=int, default=default, minimum=minimum, description=description)


def _real(
    name: str, default: float, minimum: float, maximum: float | None, description: str
) -> Parameter:
    return Parameter(
        name=name,
        kind=float,
        default=default,
        minimum=minimum,
        maximum=maximum,
        description=description,
    )


def _path(name: str, picks: str, description: str) -> Parameter:
    return Parameter(
        name=name,
        kind=Path,
        default=None,
        picks="file" if picks == "file" else "folder",
        description=description,
    )


def _text(name: str, default: str, description: str) -> Parameter:
    return Parameter(name=name, kind=str, default=default, description=description)


LAYERSKIP = (
    Job(
        name="train-layerskip",
        title="Train the model itself to exit early",
        description="LayerSkip: low-rank weights are trained beside the model's own while layers "
        "drop out and several exits are read at once, on AMI meetings and DailyDialog; then merged "
        "into a model of its own and compared with the base model, gains and losses. Needs torch. "
        "Hours on a laptop: it can be cancelled and gone on with.",
        entry="engine.training.layerskip.layerskip:run",
        memory_mb=6000,
        disk_mb=700,
        parameters=(
            data_of("ami_manual_1.7.zip and dailydialog.zip"),
            _path("model", "file", "GGUF to begin with (default: the model in the settings)"),
            _path("weights", "folder", "Hugging Face folder of the same model, for its numbers"),
            _text("corpora", "ami,dailydialog", "corpora to learn from, separated by commas"),
            _path("chats", "file", 'chats to learn from too: {"messages": [...]} a line'),
            _EXCLUDE,
            Parameter(
                name="objective",
                kind=str,
                default="text",
                choices=("text", "replies"),
                description="text: the next word people said; replies: what full depth itself "
                "would say, on answers the model gives to DailyDialog",
            ),
            _whole("replies", 2000, 1, "replies to learn from, with objective replies"),
            _text("conversations", "", "earlier runs whose kept conversations to use for that"),
            _whole("steps", 1500, 1, "training steps"),
            _whole("batch", 2, 1, "blocks a step, over all processes"),
            _whole("tokens", 512, 16, "tokens of a block, or of the longest conversation"),
            _whole("seed", 42, 0, "random seed of it all"),
            _real("learning_rate", 2e-4, 0, None, "highest learning rate"),
            _whole("rank", 32, 1, "rank of the low-rank weights"),
            _real("alpha", 64.0, 0, None, "their scale times the rank"),
            _text(
                "targets",
                "attn_q,attn_k,attn_v,attn_output,ffn_gate,ffn_up,ffn_down",
                "matrices that get them",
            ),
            _text("exits", "25,37.5,50,62.5,75", "auxiliary exits, in percent of the depth"),
            _real("exit_weight", 0.3, 0, None, "weight of each of them; the last layer has 1"),
            _real("dropout", 0.5, 0, 0.99, "how often the last layer is left out"),
            _real("ramp", 0.5, 0, 1, "share of the steps over which dropout rises to that"),
            _whole("prompts", 40, 2, "held-out prompts of each set to compare on"),
            _whole("validation_blocks", 16, 1, "held-out blocks the loss is validated on"),
            _FORMATS,
            _whole("threads", 2, 1, "CPU threads"),
            Parameter(
                name="device",
                kind=str,
                default="cpu",
                choices=("cpu", "cuda", "auto"),
                description="where to train; under torchrun, each process has its own",
            ),
            _whole("checkpoint_steps", 50, 1, "steps from one checkpoint to the next"),
            _text("resume", "", "an interrupted run to go on with, under its own parameters"),
            _whole("end_at", 0, 0, "steps after which a run gone on with ends; 0: as planned"),
        ),
    ),
    Job(
        name="leak-check",
        title="Look for evaluation items in training text",
        description="Finds the AMI meetings in which a prompt or response of the evaluation set "
        "stands, leaves them out, and looks for the items in the tokens that training reads.",
        entry="engine.training.text.leak_check:run",
        parameters=(
            data_of("ami_manual_1.7.zip and dailydialog.zip"),
            _EXCLUDE,
            _path("model", "file", "GGUF whose tokens are read (default: the settings' model)"),
        ),
    ),
    Job(
        name="export-model",
        title="Write a trained model in other formats",
        description="Merges what train-layerskip learned into its base model, writes it in F16, "
        "and quantises that with llama.cpp. Needs no torch.",
        entry="engine.training.layerskip.exporting:run",
        disk_mb=600,
        parameters=(
            _text("trained", "latest", "the run of train-layerskip"),
            _FORMATS,
        ),
    ),
)
