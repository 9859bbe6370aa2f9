"""The inventory of a bundle, from tables as PyInstaller writes them and packages that are here."""

import json
import sys
from pathlib import Path

import numpy
import pytest

from tests.packaging.clone import PACKAGING

sys.path.insert(0, str(PACKAGING))
import inventory
from progress import Stopped

PACKAGES = Path(numpy.__file__).parents[1]
MANIFEST = PACKAGING.parent / "models" / "manifest.toml"


def made(work: Path, *sources: str) -> list[inventory.Component]:
    """The components of a bundle of these files."""
    (work / "pads").mkdir()
    table = ([(Path(path).name, path, "BINARY") for path in sources],)
    (work / "pads" / "COLLECT-00.toc").write_text(repr(table), "utf-8")
    (work / "pads" / "PYZ-00.toc").write_text(repr(("/somewhere/PYZ-00.pyz", [])), "utf-8")
    return inventory.components(work, PACKAGES, MANIFEST)


def test_a_file_belongs_to_its_python_or_its_debian_package(tmp_path: Path) -> None:
    library = next(Path("/usr/lib/x86_64-linux-gnu").glob("libportaudio.so.2"))
    parts = {part.name: part for part in made(tmp_path, numpy.__file__, str(library))}
    assert parts["numpy"].version == numpy.__version__
    assert "BSD" in parts["numpy"].licence
    assert "Redistribution" in parts["numpy"].text
    assert parts["libportaudio2"].purl.startswith("pkg:deb/debian/libportaudio2@")
    assert parts["libportaudio2"].text
    assert parts["smart-turn-v3.2"].kind == "model"
    assert "soundfile" not in parts
    notices = inventory.notices(list(parts.values()))
    assert notices.count("numpy " + numpy.__version__) == 2  # in the list, and above its text
    entries = json.loads(inventory.sbom(list(parts.values()), "1.0"))["components"]
    assert {entry["name"] for entry in entries} == set(parts)
    assert len({entry["bom-ref"] for entry in entries}) == len(entries)


def test_a_package_that_names_no_licence_stops_the_build(tmp_path: Path) -> None:
    folder = tmp_path / "silent-1.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text("Name: silent\nVersion: 1\n", "utf-8")
    with pytest.raises(Stopped, match="silent says nothing of its licence"):
        inventory.package(folder)
    (folder / "LICENSE").write_text("Do what you like.", "utf-8")
    assert inventory.package(folder).licence == "see its text"


def test_a_file_that_nobody_owns_stops_the_build(tmp_path: Path) -> None:
    with pytest.raises(Stopped, match=r"No Debian package owns /usr/lib/none\.so"):
        made(tmp_path, "/usr/lib/none.so")


@pytest.mark.parametrize(
    ("licence", "allowed"),
    [
        ("GPL-3.0-or-later", False),
        ("AGPL-3.0", False),
        ("GNU General Public License v3 (GPLv3)", False),
        ("LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only", True),
        ("MIT", True),
    ],
)
def test_a_licence_that_forbids_the_bundle_stops_it(licence: str, allowed: bool) -> None:
    part = inventory.Component(kind="pypi", name="some", version="1", licence=licence)
    if allowed:
        inventory.refuse_forbidden([part])
    else:
        with pytest.raises(Stopped, match="cannot be in the bundle"):
            inventory.refuse_forbidden([part])
