"""Where corpora lie on this machine."""

from __future__ import annotations

from pathlib import Path

from engine import paths, settings
from engine.errors import DataUnavailable


def find(file: str, given: Path | None, *, obtain: str) -> Path:
    """The corpus archive `file`.

    `given` is the archive itself, its unpacked folder, or a folder that holds the archive; when
    None, the folder in `PADS_DATA` or in the settings is used. Raises `DataUnavailable`, which
    says how to `obtain` it, when there is nothing.
    """
    place = given
    if place is None:
        place = paths.corpora(settings.load(paths.settings_file()).data_folder)
    if place is None:
        raise DataUnavailable(
            f"The corpus {file} is needed and no data folder is set",
            remedy=f"name its folder in PADS_DATA or with --data; {obtain}",
        )
    inside = place / file
    if inside.is_file():
        return inside
    if given is not None and (given.is_file() or any(given.glob("*/"))):
        return given
    raise DataUnavailable(f"The corpus {inside} does not exist", remedy=obtain)
