"""Where things lie: shipped files beside the code, user files where the platform wants them.

`PADS_HOME` moves all user files into one folder (tests), and so does a folder `PADS Live data`
beside a frozen program (portable use).
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import platformdirs

_NAME = "pads-live"
_PORTABLE = "PADS Live data"


def shipped() -> Path:
    """Folder that holds `models/` and `assets/`: the repository, or the frozen bundle."""
    return Path(getattr(sys, "_MEIPASS", Path(__file__).resolve().parent.parent))


def manifest() -> Path:
    """The model manifest."""
    return shipped() / "models" / "manifest.toml"


def trained(model: str) -> Path:
    """Where a job installs a small model's weights: beside the code, or among the user's data.

    The folder of a frozen program may be another user's, or read-only.
    """
    frozen = getattr(sys, "frozen", False)
    return data() / "weights" / model if frozen else shipped() / "models" / model


def weights(model: str) -> Path:
    """Folder of a small model's weights: those trained here, else those that came with it."""
    own = trained(model)
    return own if own.is_dir() else shipped() / "models" / model


def demos() -> Path:
    """Folder of the bundled demo conversations."""
    return shipped() / "assets" / "demos"


def demo_recordings() -> list[Path]:
    """The bundled demo conversations, by name."""
    return sorted(demos().glob("*.flac"))


def home() -> Path | None:
    """The one folder of all user files, where the platform's own places are not used."""
    named = os.environ.get("PADS_HOME")
    if named:
        return Path(named)
    if not getattr(sys, "frozen", False):
        return None
    program = Path(sys.executable).resolve()
    application = program.parents[2] if len(program.parents) > 2 else program
    if application.suffix == ".app":  # of macOS, which is one thing to who moves it
        program = application
    beside = program.parent / _PORTABLE
    return beside if beside.is_dir() else None


def config() -> Path:
    """Folder of `settings.toml`."""
    chosen = home()
    return chosen / "config" if chosen else Path(platformdirs.user_config_dir(_NAME, False))


def data() -> Path:
    """Folder of what the user would miss: sessions, runs, trained weights."""
    chosen = home()
    return chosen / "data" if chosen else Path(platformdirs.user_data_dir(_NAME, False))


def cache() -> Path:
    """Folder of what can be made again: fetched models, head and tail files."""
    chosen = home()
    return chosen / "cache" if chosen else Path(platformdirs.user_cache_dir(_NAME, False))


def fetched_models() -> Path:
    """Folder of verified model files (`PADS_MODELS` names another)."""
    named = os.environ.get("PADS_MODELS")
    return Path(named) if named else cache() / "models"


def bundled_models() -> Path:
    """Folder of the model files that a frozen bundle brings; from source there is none."""
    return shipped() / "fetched"


def added_models() -> Path:
    """Folder of the language models the user added, and of what is known about each."""
    return data() / "models"


def sessions() -> Path:
    """Folder of session logs."""
    return data() / "sessions"


def runs() -> Path:
    """Folder of job runs."""
    return data() / "runs"


def settings_file() -> Path:
    """The settings file."""
    return config() / "settings.toml"


def corpora(setting: str | None) -> Path | None:
    """Folder of research data: `PADS_DATA`, else the setting, else None."""
    named = os.environ.get("PADS_DATA") or setting
    return Path(named) if named else None
