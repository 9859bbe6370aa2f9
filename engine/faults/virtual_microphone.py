"""A microphone without hardware: a private PulseAudio, whose default source one speaks into.

A null sink stands in for the air of a room; its monitor, remapped as a source, is the
microphone. PortAudio reaches it through ALSA's pulse plugin. `environment` holds the variables
that lead a process there; `attached` sets them in this one.
"""

from __future__ import annotations

import os
import signal
import subprocess
import threading
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from engine.faults.case import until

_ALSA = """</usr/share/alsa/alsa.conf>
pcm.!default { type pulse }
ctl.!default { type pulse }
"""
_PATIENCE_S = 15.0


@dataclass
class VirtualMicrophone:
    """One daemon with a sink `air` and a source `microphone`; `folder` holds its files."""

    folder: Path
    _server: subprocess.Popen[bytes] | None = None
    _players: list[subprocess.Popen[bytes]] = field(default_factory=list)

    @property
    def environment(self) -> dict[str, str]:
        """Variables by which a process finds this daemon, through libpulse and through ALSA."""
        return {
            "PULSE_SERVER": f"unix:{self.folder / 'native'}",
            "PULSE_RUNTIME_PATH": str(self.folder),
            "PULSE_STATE_PATH": str(self.folder),
            "PULSE_CLIENTCONFIG": str(self.folder / "client.conf"),
            "PULSE_COOKIE": str(self.folder / "cookie"),
            "ALSA_CONFIG_PATH": str(self.folder / "alsa.conf"),
        }

    def start(self, *properties: str) -> None:
        """Start the daemon with its source plugged in; `properties` as "rate=44100"."""
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        (self.folder / "client.conf").write_text("autospawn = no\nenable-shm = no\n")
        (self.folder / "alsa.conf").write_text(_ALSA)
        command = ["pulseaudio", "-n", "--daemonize=no", "--exit-idle-time=-1", "--disable-shm"]
        socket = f"module-native-protocol-unix socket={self.folder / 'native'} auth-anonymous=1"
        with open(self.folder / "log", "wb") as log:
            self._server = subprocess.Popen(
                [*command, "--use-pid-file=no", "-L", socket],
                env=self.all_variables,
                stdout=log,
                stderr=log,
            )
        until((self.folder / "native").exists, "PulseAudio did not start", _PATIENCE_S)
        self.furnish(*properties)

    def furnish(self, *properties: str) -> None:
        """Load the sink and plug the microphone in."""
        self.control("load-module", "module-null-sink", "sink_name=air", "rate=48000")
        self.control("set-default-sink", "air")
        self.plug(*properties)

    def plug(self, *properties: str) -> None:
        """Plug the microphone in and make it the default; `properties` as "rate=44100"."""
        module = ("module-remap-source", "master=air.monitor", "source_name=microphone")
        self.control("load-module", *module, *properties)
        self.control("set-default-source", "microphone")

    def unplug(self) -> None:
        """Pull the microphone's plug; programs that listen to it lose it."""
        self.control("unload-module", "module-remap-source")

    def stand_still(self, still: bool) -> None:
        """Let the daemon hang, or go on."""
        assert self._server is not None
        self._server.send_signal(signal.SIGSTOP if still else signal.SIGCONT)

    def play(self, recording: Path, *options: str) -> subprocess.Popen[bytes]:
        """Begin to play a WAV or FLAC file into the room; `wait()` waits for its end."""
        player = subprocess.Popen(["paplay", *options, str(recording)], env=self.all_variables)
        self._players.append(player)
        # One that has ended is waited for at once, not only when the daemon stops.
        threading.Thread(target=player.wait, name="player", daemon=True).start()
        return player

    def control(self, *words: str) -> str:
        """What `pactl` answers to these words."""
        result = subprocess.run(
            ["pactl", *words],
            env=self.all_variables,
            capture_output=True,
            check=False,
            text=True,
            timeout=_PATIENCE_S,
        )
        if result.returncode:
            raise RuntimeError(f"pactl {' '.join(words)}: {result.stderr}")
        return result.stdout.strip()

    def stop(self) -> None:
        """End the players and the daemon."""
        for process in [*self._players, self._server]:
            if process is not None:
                with suppress(ProcessLookupError):
                    process.kill()
                process.wait(_PATIENCE_S)
        (self.folder / "native").unlink(missing_ok=True)  # a killed daemon leaves it
        self._players.clear()
        self._server = None

    @property
    def all_variables(self) -> dict[str, str]:
        """The environment of a process that is to find this daemon."""
        return os.environ | self.environment
