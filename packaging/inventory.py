"""What a bundle holds and under which licences: the THIRD-PARTY file and the SBOM.

PyInstaller's tables of contents say which file each part came from. A file belongs to the
Python package that lists it, else to the Debian package that owns it; where there are no such
packages it is told by its name.
"""

from __future__ import annotations

import ast
import json
import platform
import re
import subprocess
import sys
import sysconfig
import tomllib
import uuid
from dataclasses import dataclass
from email.parser import HeaderParser
from pathlib import Path

from progress import Stopped

_LICENCE_FILE = re.compile(r"(licen[cs]e|copying|notice|authors)", re.IGNORECASE)
# A program under one of these alone could not be given away together with the rest.
_FORBIDDEN = re.compile(r"(?<![LA])\b(GPL|GNU General Public License|AGPL)")
# Its licence says that what it makes may be under any licence.
EXCEPTED = {"pyinstaller", "pyinstaller-hooks-contrib"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Component:
    """One part: `kind` is pypi, deb, model or generic."""

    kind: str
    name: str
    version: str
    licence: str
    text: str = ""
    sha256: str = ""

    @property
    def purl(self) -> str:
        """Its package URL; a model has none."""
        origin = {"pypi": "pypi/", "deb": "deb/debian/"}.get(self.kind, "generic/")
        return f"pkg:{origin}{self.name}@{self.version}"


def components(work: Path, packages: Path, manifest: Path) -> list[Component]:
    """Every component of the bundle that PyInstaller made in `work` from `packages`."""
    sources = _sources(work)
    owners = _owners(packages)
    found = {owners[path] for path in sources if path in owners}
    others = {path for path in sources if path not in owners and path.suffix != ".py"}
    system = _debian_files(others) if sys.platform == "linux" else foreign(others, work)
    parts = [_python(), *(package(folder) for folder in sorted(found)), *system]
    return parts + _models(manifest)


def refuse_forbidden(parts: list[Component]) -> None:
    """Raise `Stopped` when a part's only licence forbids what this bundle is."""
    for part in parts:
        free = part.kind != "pypi" or "LGPL" in part.licence or part.name.lower() in EXCEPTED
        if not free and _FORBIDDEN.search(part.licence):
            raise Stopped(
                f"{part.name} is under {part.licence}, so it cannot be in the bundle: "
                "exclude it in packaging/pads.spec"
            )


def notices(parts: list[Component]) -> str:
    """The THIRD-PARTY file."""
    lines = ["What PADS Live is made of besides its own code (Apache-2.0), and its licences.", ""]
    lines += [f"{part.name} {part.version}: {part.licence}" for part in parts]
    for part in parts:
        if part.text:
            lines += ["", "=" * 78, f"{part.name} {part.version}", "=" * 78, "", part.text.strip()]
    return "\n".join(lines) + "\n"


def sbom(parts: list[Component], version: str) -> str:
    """The same as a CycloneDX 1.6 document."""
    product = {"type": "application", "name": "pads-live", "version": version}
    product["bom-ref"] = f"pkg:generic/pads-live@{version}"
    document = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, notices(parts))}",
        "version": 1,
        "metadata": {"component": product},
        "components": [_entry(part) for part in parts],
    }
    return json.dumps(document, indent=1) + "\n"


def _entry(part: Component) -> dict[str, object]:
    entry: dict[str, object] = {
        "type": "machine-learning-model" if part.kind == "model" else "library",
        "bom-ref": part.purl,
        "name": part.name,
        "version": part.version,
        "licenses": [{"license": {"name": part.licence}}],
    }
    if part.kind != "model":
        entry["purl"] = part.purl
    if part.sha256:
        entry["hashes"] = [{"alg": "SHA-256", "content": part.sha256}]
    return entry


def _sources(work: Path) -> set[Path]:
    found: set[Path] = set()
    for name in ("COLLECT-00.toc", "PYZ-00.toc"):
        [table] = list(work.rglob(name))
        found |= {Path(path) for path in _paths(ast.literal_eval(table.read_text("utf-8")))}
    return found


def _paths(tree: object) -> list[str]:
    """Every absolute path in a table; its nesting differs between PyInstaller's versions."""
    if isinstance(tree, str):
        return [tree] if Path(tree).is_absolute() else []
    if isinstance(tree, (list, tuple)):
        return [path for part in tree for path in _paths(part)]
    return []


def _owners(packages: Path) -> dict[Path, Path]:
    """By file, the .dist-info that lists it."""
    owners = {}
    for folder in packages.glob("*.dist-info"):
        record = folder / "RECORD"
        for line in record.read_text("utf-8").splitlines() if record.exists() else ():
            owners[packages / line.rpartition(",")[0].rpartition(",")[0].strip('"')] = folder
    return owners


def package(folder: Path) -> Component:
    """The distribution of a .dist-info folder; `Stopped` where nothing says its licence."""
    head = HeaderParser().parsestr((folder / "METADATA").read_text("utf-8"))
    classifiers = [
        line.rpartition(":: ")[2]
        for line in head.get_all("Classifier", [])
        if line.startswith("License ::")
    ]
    named = (head["License-Expression"] or head["License"] or "").strip()
    licence = named if 0 < len(named) < 100 else ", ".join(classifiers)
    texts = [
        path.read_text("utf-8", "replace")
        for path in sorted(folder.rglob("*"))
        if path.is_file() and _LICENCE_FILE.search(path.name)
    ]
    if not licence and not texts:
        raise Stopped(f"{head['Name']} says nothing of its licence: look it up, or leave it out")
    return Component(
        kind="pypi",
        name=head["Name"],
        version=head["Version"],
        licence=licence or "see its text",
        text="\n\n".join(texts),
    )


def _python() -> Component:
    library, windows = Path(sysconfig.get_path("stdlib")), Path(sys.base_prefix)
    places = (library / "LICENSE.txt", library / "LICENSE", windows / "LICENSE.txt")
    texts = [path.read_text("utf-8") for path in places if path.exists()]
    text = texts[0] if texts else ""
    version = sys.version.partition(" ")[0]
    return Component(kind="generic", name="Python", version=version, licence="PSF-2.0", text=text)


def foreign(files: set[Path], work: Path) -> list[Component]:
    """Libraries of a system without packages, as Windows' C++ runtime, each under its name.

    What belongs to Python itself, to this repository, or was made in `work`, is none of them.
    """
    ours = [Path(sys.base_prefix).resolve(), Path(__file__).resolve().parent.parent, work.resolve()]
    return [
        Component(
            kind="generic",
            name=path.name,
            version=platform.release(),
            licence=f"its maker's, as it comes with {platform.system()} and what is built there",
        )
        for path in sorted(files)
        if not any(path.resolve().is_relative_to(folder) for folder in ours)
    ]


def _debian_files(files: set[Path]) -> list[Component]:
    """The packages of those of the files that belong to the system."""
    system = {path for path in files if path.is_relative_to("/usr")}
    return _debian(system | {path.resolve() for path in files if path.is_relative_to("/lib")})


def _debian(files: set[Path]) -> list[Component]:
    """The Debian packages of system libraries; one that no package owns is an error."""
    # A package may know a file under its name before /lib moved into /usr.
    names = {path: (path, Path("/", *path.parts[2:]), path.resolve()) for path in sorted(files)}
    owners = _owning({str(name) for known in names.values() for name in known})
    packages = set()
    for path, known in names.items():
        owner = next((owners[str(name)] for name in known if str(name) in owners), None)
        if owner is None:
            raise Stopped(f"No Debian package owns {path}: exclude it in packaging/pads.spec")
        packages.add(owner)
    parts = []
    for name in sorted(packages):
        short = name.partition(":")[0]
        text = Path("/usr/share/doc", short, "copyright")
        parts.append(
            Component(
                kind="deb",
                name=short,
                version=_said("dpkg-query", "-W", "-f", "${Version}", name),
                licence="see its text",
                text=text.read_text("utf-8", "replace") if text.exists() else "",
            )
        )
    return parts


def _owning(names: set[str]) -> dict[str, str]:
    """By file name, the package that owns it, where one does; asked once, since dpkg is slow."""
    lines = _said("dpkg-query", "--search", *sorted(names)).splitlines() if names else []
    found = [line.partition(": ") for line in lines if not line.startswith("diversion by ")]
    return {name: packages.partition(",")[0] for packages, _, name in found}


def _said(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()


def _models(manifest: Path) -> list[Component]:
    models = tomllib.loads(manifest.read_text("utf-8"))["model"]
    return [
        Component(
            kind="model",
            name=model["name"],
            version=model["sha256"][:12],
            licence=model["licence"],
            sha256=model["sha256"],
        )
        for model in models
        if model["use"] == "default"
    ]
