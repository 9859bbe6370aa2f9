"""Is the bundle as fast as the installation from source, on this very processor?

    .venv/bin/python packaging/race.py "dist/PADS Live" [--prompts 24] [--tokens 48] [--windows 5]

Two decoder processes, the bundle's portable one and the native one, answer the same prompts in
turn, each first as often as second, with the default settings; speed is that between a reply's
first and last token. Then both windows are opened in turn on a virtual screen, from the start
of the program to the first drawn frame. Takes about four minutes; run it on a machine at rest.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path

from smoke import first_line, screen

from engine import children, paths
from engine.evaluation.decoding.decode_race import median_interval
from engine.evaluation.decoding.identity_prompts import conversations
from engine.settings import DecoderSettings
from engine.speculation import messages
from engine.speculation.client import HOST_ARGUMENT
from engine.speculation.messages import Message
from engine.store.fetching import locate

ROOT = Path(__file__).resolve().parent.parent
BUNDLE, NATIVE = "bundle", "native"
_SHORTEST = 8  # replies with fewer tokens are not worth timing


class Host:
    """A decoder process that answers one prompt at a time."""

    def __init__(self, command: list[str], settings: DecoderSettings) -> None:
        self._child = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=children.environment()
        )
        self._job = 0
        model, halves = locate(settings.model), paths.cache() / "halves"
        self._ask(messages.Open(str(model), str(halves), asdict(settings)))
        while not isinstance(report := self._next(), messages.Ready):
            if isinstance(report, messages.Refused):
                raise SystemExit(report.message)
        self.details = report.details

    def answer(self, prompt: list[Message], tokens: int) -> tuple[float, tuple[int, ...]]:
        """Tokens per second after the first, and the tokens."""
        self._job += 1
        self._ask(messages.Decode(self._job, tuple(prompt), tokens))
        times: list[float] = []
        while not isinstance(report := self._next(), messages.Done):
            if isinstance(report, messages.Token):
                times.append(report.at_s)
            elif isinstance(report, messages.Failed):
                raise SystemExit(report.message)
        lasted_s = times[-1] - times[0] if len(times) > 1 else 0.0
        return (len(times) - 1) / lasted_s if lasted_s else 0.0, report.tokens

    def close(self) -> None:
        """End it."""
        assert self._child.stdin is not None
        self._child.stdin.close()
        self._child.wait()

    def _ask(self, request: messages.Request) -> None:
        assert self._child.stdin is not None
        self._child.stdin.write(messages.encode(request))
        self._child.stdin.flush()

    def _next(self) -> object:
        assert self._child.stdout is not None
        line = self._child.stdout.readline()
        if not line:
            raise SystemExit(f"The decoder process ended with {self._child.wait()}")
        return messages.decode(line)


def main() -> int:
    """Race both, print one JSON object for each finding."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("bundle", type=Path)
    parser.add_argument("--prompts", type=int, default=24)
    parser.add_argument("--tokens", type=int, default=48)
    parser.add_argument("--windows", type=int, default=5)
    given = parser.parse_args()
    program = given.bundle.absolute() / "pads"
    print(json.dumps(decoding(program, given.prompts, given.tokens)), flush=True)
    print(json.dumps(windows(program, given.windows)), flush=True)
    return 0


def decoding(program: Path, prompts: int, tokens: int) -> dict[str, object]:
    """Speeds and their ratio, prompt by prompt; the first prompt warms up and is left out."""
    native = children.command("engine.speculation.host", HOST_ARGUMENT)
    speeds: dict[str, list[float]] = {BUNDLE: [], NATIVE: []}
    alike = 0
    with ExitStack() as stack:
        hosts = {
            BUNDLE: Host([str(program), HOST_ARGUMENT], DecoderSettings()),
            NATIVE: Host(native, DecoderSettings()),
        }
        for host in hosts.values():
            stack.callback(host.close)
        for number, prompt in enumerate(conversations(prompts + 1)):
            found = {
                name: hosts[name].answer(prompt, tokens)
                for name in ((BUNDLE, NATIVE) if number % 2 else (NATIVE, BUNDLE))
            }
            if number and min(len(reply) for _, reply in found.values()) >= _SHORTEST:
                alike += found[BUNDLE][1] == found[NATIVE][1]
                for name, (speed, _) in found.items():
                    speeds[name].append(speed)
    ratios = [a / b for a, b in zip(speeds[BUNDLE], speeds[NATIVE], strict=True)]
    return {
        "type": "decoding",
        "tokens_per_s": {name: median_interval(speeds[name]) for name in hosts},
        "ratio_bundle_to_native": median_interval(ratios),
        "replies": len(ratios),
        "replies_alike": alike,
        "interval": "median over prompts, 95 % percentile bootstrap",
    }


def windows(program: Path, times: int) -> dict[str, object]:
    """Seconds from start to the first drawn frame, in turn; the first pair warms the caches."""
    commands = {BUNDLE: [str(program)], NATIVE: [sys.executable, "-m", "app"]}
    taken: dict[str, list[float]] = {BUNDLE: [], NATIVE: []}
    with screen() as display, tempfile.TemporaryDirectory() as home:
        env = {**children.environment(), "DISPLAY": display, "PADS_HOME": home}
        for _ in range(times + 1):
            for name, command in commands.items():
                done = first_line([*command, "--smoke"], env=env, cwd=ROOT)
                taken[name].append(done.first_s)
    return {
        "type": "start to drawn window, s",
        **{name: median_interval(seconds[1:]) for name, seconds in taken.items()},
        "times": times,
    }


if __name__ == "__main__":
    sys.exit(main())
