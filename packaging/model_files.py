"""The models that a bundle brings: the default ones, and the manifest of them."""

from __future__ import annotations

import hashlib
import shutil
import tomllib
from pathlib import Path

from progress import watch

HERE = Path(__file__).resolve().parent
MANIFEST = HERE.parent / "models" / "manifest.toml"
WHISPER = "whisper-tiny-en"


def gather(source: Path, target: Path, python: str, *, log: Path, env: dict[str, str]) -> None:
    """Copy them from `source`, which was verified, to `target`, made anew. Raises `Stopped`.

    Whisper is among them in eight bits, under a name of its own: another installation's file
    in the user's cache is not taken for it. `python` has numpy.
    """
    shutil.rmtree(target, ignore_errors=True)
    manifest = MANIFEST.read_text("utf-8")
    for model in tomllib.loads(manifest)["model"]:
        if model["use"] != "default":
            continue
        place = target / model["file"].replace(f"{WHISPER}/", f"{WHISPER}-int8/")
        place.parent.mkdir(parents=True, exist_ok=True)
        if model["name"] == WHISPER:
            command = [python, str(HERE / "eight_bits.py")]
            command += [str(source / model["file"]), str(place)]
            watch("rounding Whisper's weights", command, log=log, env=env)
            for old, new in (
                (model["sha256"], hashlib.sha256(place.read_bytes()).hexdigest()),
                (f"size = {model['size']}\n", f"size = {place.stat().st_size}\n"),
                (model["note"], f"{model['note']}, weights in eight bits"),
            ):
                manifest = manifest.replace(old, new)
        else:
            shutil.copy(source / model["file"], place)
    manifest = manifest.replace(f'file = "{WHISPER}/', f'file = "{WHISPER}-int8/')
    (target / "manifest.toml").write_text(manifest, "utf-8")
