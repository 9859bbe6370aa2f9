"""Jobs that measure the machine and the mechanism: the seed's Go/No-Go tests, and the gate."""

from __future__ import annotations

from pathlib import Path

from engine.jobs.job import Job, Parameter
from engine.jobs.material import STRICT, data_of

MECHANISM = (
    Job(
        name="bandwidth",
        title="Find where memory limits decoding",
        description="Decoding and copying memory at every number of threads: from how many on "
        "more threads decode no faster, and what follows for a larger model (Go/No-Go 1).",
        entry="engine.evaluation.decoding.bandwidth:run",
        parameters=(
            Parameter(
                name="threads",
                kind=str,
                default="",
                description="thread counts, separated by commas (default: every count)",
            ),
            Parameter(
                name="loads",
                kind=int,
                default=8,
                minimum=2,
                description="how often the model is loaded afresh",
            ),
            Parameter(
                name="rounds", kind=int, default=4, minimum=1, description="rounds of each load"
            ),
            Parameter(
                name="tokens", kind=int, default=48, minimum=4, description="tokens of a round"
            ),
            Parameter(
                name="other_gb",
                kind=float,
                default=4.68,
                minimum=0.01,
                description="size of another model's file in GB, to extrapolate to "
                "(4.68: 7.6 billion parameters in Q4_K_M)",
            ),
            STRICT,
        ),
        memory_mb=2500,
    ),
    Job(
        name="thermal",
        title="Watch heat under sustained load",
        description="Decodes without a rest and follows temperature, clock and throttling: how "
        "hot it gets, and how much speed is left when it is (Go/No-Go 4).",
        entry="engine.evaluation.machine.thermal:run",
        parameters=(
            Parameter(name="minutes", kind=float, default=10.0, minimum=0.1, description="length"),
            Parameter(
                name="threads",
                kind=int,
                default=0,
                minimum=0,
                description="threads that decode, 0 for all there are",
            ),
            STRICT,
        ),
    ),
    Job(
        name="ram-budget",
        title="Check that everything fits into memory",
        description="Opens the window, the listening models and the decoder, measures the memory "
        "each really takes, and holds the sum against the machine's (Go/No-Go 5).",
        entry="engine.evaluation.machine.ram_budget:run",
        parameters=(
            Parameter(
                name="memory_gb",
                kind=float,
                default=None,
                minimum=0.1,
                description="ask about a machine with so much memory instead of this one",
            ),
            Parameter(
                name="reserve_mb",
                kind=float,
                default=500.0,
                minimum=0,
                description="memory that must stay free besides, in MB",
            ),
            STRICT,
        ),
        memory_mb=1500,
    ),
    Job(
        name="pipeline",
        title="Show the mechanism on one question",
        description="A given turn-end probability and a given pause with the real classifier and "
        "the real model: does the gate start, what do the shallow and the deep pass take, when "
        "comes the first word; and then the same with real speech, where a start is thrown away.",
        entry="engine.evaluation.conversations.pipeline:run",
        parameters=(
            Parameter(
                name="text",
                kind=str,
                default="How do I get to the nearest train station from here?",
                description="what the person is to have said",
            ),
            Parameter(
                name="p_end",
                kind=float,
                default=0.9,
                minimum=0,
                maximum=1,
                description="probability that the turn is over, injected",
            ),
            Parameter(
                name="pause_s",
                kind=float,
                default=0.8,
                minimum=0,
                maximum=10,
                description="length of the pause, injected, in seconds",
            ),
            Parameter(name="trials", kind=int, default=10, minimum=2, description="trials timed"),
            Parameter(
                name="recording",
                kind=Path,
                default=None,
                picks="file",
                description="real speech (WAV, FLAC, OGG; default: the first demo)",
            ),
            STRICT,
        ),
    ),
    Job(
        name="gate-ablation",
        title="Take the gate apart",
        description="Hears the demos and recordings with the whole gate, with either condition "
        "alone, and with none: what is hidden, what is wasted, what is missed.",
        entry="engine.evaluation.conversations.gate_ablation:run",
        parameters=(
            Parameter(
                name="data",
                kind=Path,
                default=None,
                description="folder of recordings, or one that has them in audio/ "
                "(default: PADS_DATA or the data folder in the settings)",
            ),
            Parameter(name="demos", kind=int, default=4, minimum=0, description="demos to hear"),
            Parameter(
                name="recordings",
                kind=int,
                default=2,
                minimum=0,
                description="recordings to hear; each takes four times its length",
            ),
            STRICT,
        ),
    ),
    Job(
        name="decode",
        title="Measure decoding speed",
        description="Races plain decoding, head and tail without drafts, mode auto, and every "
        "exit layer and draft length, prompt by prompt with the same weights and threads.",
        entry="engine.evaluation.decoding.decode_job:run",
        parameters=(
            Parameter(
                name="prompts", kind=int, default=24, minimum=2, description="prompts answered"
            ),
            Parameter(
                name="loads",
                kind=int,
                default=8,
                minimum=2,
                description="fresh loads of every way, which share the prompts",
            ),
            Parameter(
                name="tokens", kind=int, default=48, minimum=9, description="tokens of each reply"
            ),
            Parameter(name="exits", kind=str, default="4,15,20", description="exit layers"),
            Parameter(name="drafts", kind=str, default="1,3", description="draft lengths"),
            Parameter(
                name="threads",
                kind=int,
                default=0,
                minimum=0,
                description="threads that decode, 0 for the setting",
            ),
            STRICT,
        ),
        memory_mb=2500,
        disk_mb=500,
    ),
    Job(
        name="identity",
        title="Prove that speculation changes nothing",
        description="Answers prompts three ways, with llama.cpp's own loop on the uncut file, "
        "with head and tail, and with drafts, and compares every served token; the same with "
        "other number formats.",
        entry="engine.evaluation.decoding.identity_job:run",
        parameters=(
            Parameter(
                name="prompts",
                kind=int,
                default=100,
                minimum=1,
                description="prompts for the default model",
            ),
            Parameter(
                name="format_prompts",
                kind=int,
                default=10,
                minimum=1,
                description="prompts for each other number format",
            ),
            Parameter(
                name="tokens", kind=int, default=64, minimum=1, description="tokens of each reply"
            ),
            Parameter(
                name="formats",
                kind=str,
                default="Q4_0,Q4_1,Q8_0,Q4_K_M,F16",
                description="other number formats to compare, none when empty",
            ),
            data_of("dailydialog.zip"),
        ),
        memory_mb=1500,
        disk_mb=1500,
    ),
)
"""In the order in which they are listed."""
