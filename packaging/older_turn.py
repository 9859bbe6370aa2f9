"""One demo turn answered with drafts and plainly; `older.py` runs it under an emulated processor.

python older_turn.py MODEL CACHE TOKENS
"""

from __future__ import annotations

import json
import sys
import time
from dataclasses import replace
from itertools import islice
from pathlib import Path

from engine.evaluation.decoding.identity_prompts import conversations
from engine.evaluation.decoding.plain import Plain
from engine.settings import DecoderSettings
from engine.speculation import exactness, llama, loading

CONTEXT = 256
"""Positions: enough for the turn."""


def main(model: Path, cache: Path, count: int) -> None:
    """Print a JSON object when each part is done."""
    began_s = time.monotonic()

    def say(**found: object) -> None:
        print(json.dumps({**found, "s": round(time.monotonic() - began_s, 1)}), flush=True)

    # The probe decodes the turn ten times over, which emulated takes longer than all the rest;
    # whether drafts change a token is just what is found out here.
    exactness.probe = lambda _: exactness.Exactness(
        equal=exactness.WIDTHS, unequal=(), margin=0.0, positions=0
    )
    settings = replace(DecoderSettings(), context_tokens=CONTEXT, threads=1)
    say(part=llama.kernels()[0])
    loaded = loading.load(model, cache, settings, lambda *_: None)
    say(loaded=model.name)
    [turn] = conversations(1)
    prompt = loaded.chat.prompt(turn).tokens
    steps = list(loaded.decoder.decode(prompt, count))
    drafted = [item.token for step in steps for item in step.served]
    say(
        drafted=drafted,
        drafts=sum(step.drafted for step in steps),
        accepted=sum(step.accepted for step in steps),
        prompt=len(prompt),
    )
    loaded.decoder.close()
    plain = Plain(
        model, size=CONTEXT, threads=settings.threads, repack=loaded.decoder.kernels.repack
    )
    say(plain=list(islice(plain.stream(prompt, count), count)))
    plain.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]))
