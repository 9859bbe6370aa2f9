"""Jobs that measure something."""

from __future__ import annotations

from pathlib import Path

from engine.jobs.job import Job, Parameter
from engine.jobs.material import STRICT, TURN_MATERIAL, data_of

EVALUATION = (
    Job(
        name="pauses",
        title="Measure pauses in real meetings",
        description="Finds every silence inside a turn in the AMI meetings: counts, lengths, and "
        "how many would hide a given amount of work.",
        entry="engine.evaluation.turns.pauses:run",
        parameters=(
            data_of("ami_manual_1.7.zip"),
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
            Parameter(
                name="answers",
                kind=int,
                default=20,
                minimum=0,
                description="answers of the language model to time, 0 for none: how many pauses "
                "are long enough for a step, a prefill, a whole answer",
            ),
            STRICT,
        ),
    ),
    Job(
        name="turn-end",
        title="Measure false cut-offs and delays",
        description="At every pause of recorded meetings: how often a person is cut off and how "
        "long the answer waits, for speech detection alone, smart-turn and the trained head.",
        entry="engine.evaluation.turns.turn_end:run",
        parameters=TURN_MATERIAL,
    ),
    Job(
        name="word-error-rate",
        title="Measure how well speech is understood",
        description="Word error rate of recorded meetings, cut into turns and transcribed as the "
        "engine does it, and the share of verdicts that a wrong word changes.",
        entry="engine.evaluation.turns.word_error_rate:run",
        parameters=TURN_MATERIAL[:2],
    ),
    Job(
        name="compare",
        title="Compare with and without PADS",
        description="Hears one recording twice, without PADS and with it: how much earlier the "
        "first word comes, and whether the replies are the same.",
        entry="engine.evaluation.conversations.compare:run",
        parameters=(
            Parameter(
                name="recording",
                kind=Path,
                default=None,
                picks="file",
                description="sound file (WAV, FLAC, OGG; default: the first demo)",
            ),
        ),
    ),
    Job(
        name="rehearse",
        title="Rehearse a presentation",
        description="Checks microphone, models, one turn from end to end, heat, power, memory, "
        "disk and other programs; ends green or says what to put right.",
        entry="engine.evaluation.machine.rehearse:run",
    ),
    Job(
        name="autotune",
        title="Find the fastest decoding",
        description="Measures thread counts, exit layers, draft lengths and prompt lookup against "
        "plain decoding on this machine, and remembers the fastest for mode auto.",
        entry="engine.evaluation.decoding.autotune:run",
        parameters=(
            Parameter(
                name="prompts", kind=int, default=12, minimum=2, description="prompts answered"
            ),
            Parameter(
                name="tokens", kind=int, default=32, minimum=9, description="tokens of each reply"
            ),
            Parameter(
                name="exits", kind=str, default="4,15,20", description="exit layers to measure"
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
"""In the order in which they are listed."""
