r"""Make the bundle on Windows or macOS, and what is given away of it. Nobody has run this yet.

    python packaging/windows_macos.py

Needs Python 3.11 or later with this project and PyInstaller installed, as
.github/workflows/bundle.yml does, the models fetched, and on Windows NSIS. In `dist` it makes
`PADS Live` and an installer, on macOS `PADS Live.app` and a disk image of it with its papers
beside it. Nothing is signed: the system warns of an unknown maker when it is opened first.
"""

from __future__ import annotations

import os
import platform
import shutil
import sys
import sysconfig
import tomllib
from pathlib import Path

import inventory
import model_files
import packing
from progress import Stopped, watch

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
NAME = "PADS Live"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
RESOURCE = HERE / "windows" / "version.txt"
INSTALLER = HERE / "windows" / "installer.nsi"


def main() -> int:
    """Make it; the exit status."""
    if sys.platform not in ("win32", "darwin"):
        print("On Linux `python3 packaging/build.py` makes the bundle.", file=sys.stderr)
        return 2
    work, dist = ROOT / "build" / "bundle", ROOT / "dist"
    try:
        work.mkdir(parents=True, exist_ok=True)
        _collect(work, dist)
        made = installer(dist, work) if sys.platform == "win32" else _disk_image(dist, work)
    except Stopped as exc:
        print(exc, file=sys.stderr)
        return 1
    packing.checksums([made])
    return 0


def _collect(work: Path, dist: Path) -> None:
    """The bundle in `dist`, with its papers."""
    models, env = work / "models", dict(os.environ)
    verify = [sys.executable, "-m", "app", "models", "verify"]
    watch("checking the models", verify, log=work / "models.log", env=env)
    model_files.gather(fetched(), models, sys.executable, log=work / "eight-bits.log", env=env)
    icons = [sys.executable, str(HERE / "icons.py"), str(work)]
    watch("drawing the icons", icons, log=work / "icons.log", env=env)
    resource = work / "version.txt"
    resource.write_text(version_resource(PROJECT["version"]), "utf-8")
    env |= {"PADS_FLAVOUR": "live", "PADS_BUNDLED_MODELS": str(models)}
    env |= {"PADS_ICON": str(icon(work)), "PADS_VERSION_RESOURCE": str(resource)}
    command = [sys.executable, "-m", "PyInstaller", "--noconfirm", "--log-level", "WARN"]
    command += ["--distpath", str(dist), "--workpath", str(work), str(HERE / "pads.spec")]
    watch("collecting the bundle", command, log=work / "bundle.log", env=env)
    _papers(dist / NAME, work, models / "manifest.toml")


def fetched() -> Path:
    """Where the models lie."""
    from engine import paths

    return paths.fetched_models()


def icon(folder: Path) -> Path:
    """This system's."""
    return folder / f"pads-live.{'ico' if sys.platform == 'win32' else 'icns'}"


def version_resource(version: str) -> str:
    """What Windows shows of the program under "Details"."""
    numbers = ", ".join([*version.split("."), "0"])
    return RESOURCE.read_text("utf-8").format(version=version, numbers=numbers)


def _papers(folder: Path, work: Path, manifest: Path) -> None:
    parts = inventory.components(work, Path(sysconfig.get_path("purelib")), manifest)
    inventory.refuse_forbidden(parts)
    (folder / "THIRD-PARTY.txt").write_text(inventory.notices(parts), "utf-8")
    (folder / "sbom.cdx.json").write_text(inventory.sbom(parts, PROJECT["version"]), "utf-8")
    shutil.copy(ROOT / "LICENSE", folder / "LICENSE")


def installer(dist: Path, work: Path) -> Path:
    """Pack the bundle in `dist` for Windows; raises `Stopped`."""
    made = dist / f"pads-live-{PROJECT['version']}-windows-x86_64-setup.exe"
    defined = {"VERSION": PROJECT["version"], "FOLDER": dist / NAME, "MADE": made}
    defined |= {"ICON": work / "pads-live.ico"}
    command = ["makensis", "-V2", "-WX", *(f"-D{name}={value}" for name, value in defined.items())]
    command.append(str(INSTALLER))
    watch("packing the installer", command, log=work / "installer.log", env=dict(os.environ))
    return made


def _disk_image(dist: Path, work: Path) -> Path:
    """Pack the application and its papers for macOS; raises `Stopped`."""
    made = dist / f"pads-live-{PROJECT['version']}-macos-{platform.machine()}.dmg"
    image = work / "image"
    shutil.rmtree(image, ignore_errors=True)
    shutil.copytree(dist / f"{NAME}.app", image / f"{NAME}.app", symlinks=True)
    for paper in ("LICENSE", "THIRD-PARTY.txt", "sbom.cdx.json"):
        shutil.copy(dist / NAME / paper, image / paper)
    (image / "Applications").symlink_to("/Applications")
    command = ["hdiutil", "create", "-volname", NAME, "-srcfolder", str(image)]
    command += ["-ov", "-format", "UDZO", str(made)]
    watch("packing the disk image", command, log=work / "image.log", env=dict(os.environ))
    return made


if __name__ == "__main__":
    sys.exit(main())
