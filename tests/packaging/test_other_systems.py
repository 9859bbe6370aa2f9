"""What Windows and macOS are given, as far as it can be tried without either."""

import ast
import platform
import plistlib
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PySide6.QtGui import QImage, QImageReader

from tests.packaging.clone import PACKAGING

sys.path.insert(0, str(PACKAGING))
import icons
import inventory
import windows_macos

ROOT = PACKAGING.parent
VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
WORKFLOW = (ROOT / ".github" / "workflows" / "bundle.yml").read_text("utf-8")
MADE = {"pads.exe", "_internal", "LICENSE", "THIRD-PARTY.txt", "sbom.cdx.json"}
"""What lies in the bundle's folder on Windows."""


@pytest.fixture
def built(tmp_path: Path) -> tuple[Path, Path]:
    """Where the bundle is made and where the work is, with little in them."""
    dist, work = tmp_path / "dist", tmp_path / "work"
    bundle = dist / windows_macos.NAME
    (bundle / "_internal" / "Stück").mkdir(parents=True)
    work.mkdir()
    for name in MADE - {"_internal"}:
        (bundle / name).write_text(name, "utf-8")
    (bundle / "_internal" / "Stück" / "base.zip").write_bytes(b"zip")
    (work / "pads-live.ico").write_bytes(icons.ico())
    return dist, work


def test_the_installer_compiles(built: tuple[Path, Path]) -> None:
    dist, work = built
    made = windows_macos.installer(dist, work)
    assert made.parent == dist
    assert VERSION in made.name
    assert made.read_bytes()[:2] == b"MZ"
    said = (work / "installer.log").read_text("utf-8", "replace")
    assert "warning" not in said


def test_uninstalling_takes_what_was_installed_and_nothing_else() -> None:
    script = windows_macos.INSTALLER.read_text("utf-8")
    removed = re.findall(r'(?:Delete|RMDir /r) "\$INSTDIR\\(.+)"', script.partition("Uninstall")[2])
    assert set(removed) == MADE | {"uninstall.exe"}
    assert 'RMDir "$INSTDIR"' in script  # which leaves a folder that somebody put data into


def test_the_version_is_told_from_one_place() -> None:
    resource = windows_macos.version_resource("1.2.3")
    ast.parse(resource)
    assert "filevers=(1, 2, 3, 0)" in resource
    assert resource.count("'1.2.3'") == 2
    for path in (windows_macos.RESOURCE, windows_macos.INSTALLER, PACKAGING / "pads.spec"):
        assert VERSION not in path.read_text("utf-8"), path
    tree = ElementTree.parse(next((PACKAGING / "linux").glob("*.metainfo.xml")))
    assert next(release.get("version") for release in tree.iter("release")) == VERSION


def test_icons_hold_every_size_as_a_picture(tmp_path: Path, qapp: object) -> None:
    path = tmp_path / "pads-live.ico"
    path.write_bytes(icons.ico())
    reader = QImageReader(str(path), b"ico")
    sizes = []
    for number in range(reader.imageCount()):
        reader.jumpToImage(number)
        sizes.append(reader.read().width())
    assert tuple(sizes) == icons.WINDOWS
    content, at, found = icons.icns(), 8, {}
    assert content[:4] == b"icns"
    assert int.from_bytes(content[4:8]) == len(content)
    while at < len(content):
        length = int.from_bytes(content[at + 4 : at + 8])
        picture = QImage.fromData(content[at + 8 : at + length], "PNG")
        found[content[at : at + 4].decode()] = picture.width()
        assert picture.pixelColor(picture.width() // 2, picture.height() // 8).alpha() == 255
        at += length
    assert found == icons.MACOS


def test_macos_may_be_asked_for_the_microphone() -> None:
    entitlements = plistlib.loads((PACKAGING / "macos" / "entitlements.plist").read_bytes())
    assert entitlements["com.apple.security.device.audio-input"] is True
    assert "NSMicrophoneUsageDescription" in (PACKAGING / "pads.spec").read_text("utf-8")


def test_every_file_that_the_workflow_names_is_here() -> None:
    named = set(re.findall(r"(?:packaging|models|assets)/[\w./-]+\.\w+", WORKFLOW))
    named |= {f"packaging/constraints{part}.txt" for part in ("", "-bundle", "-llama")}
    assert {"packaging/windows_macos.py", "packaging/build.py"} <= named
    for name in named:
        assert (ROOT / name).is_file(), name


def test_a_library_that_no_package_owns_is_told_by_its_name(tmp_path: Path) -> None:
    runtime = tmp_path / "system" / "msvcp140.dll"
    ours = {ROOT / "LICENSE", Path(sys.base_prefix) / "python311.dll", tmp_path / "work" / "a.zip"}
    [part] = inventory.foreign({runtime, *ours}, tmp_path / "work")
    assert (part.name, part.version) == ("msvcp140.dll", platform.release())
    assert platform.system() in part.licence


def test_on_linux_it_names_the_other_script() -> None:
    command = [sys.executable, str(PACKAGING / "windows_macos.py")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "packaging/build.py" in done.stderr
