"""Are there advisories about what is pinned or installed, and are its licences allowed? No network.

    python3 packaging/audit.py [--extra voice]
    python3 packaging/audit.py --from all.zip [--date YYYY-MM-DD]

Runs in the virtual environment that it looks at. The advisories are those in advisories.json, in
the Open Source Vulnerability format. `--from` takes them anew, for every package that is pinned or
installed, from all.zip, OSV's export of every advisory about Python packages.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import sysconfig
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import inventory
from inventory import Component
from packaging.utils import canonicalize_name
from packaging.version import InvalidVersion, Version
from progress import Stopped, say

HERE = Path(__file__).resolve().parent
FILE = HERE / "advisories.json"
REMEDY = "fetch OSV's export and run `python3 packaging/audit.py --from all.zip` (see its head)"
FRESH = timedelta(days=90)

ALLOWED = {
    *("0bsd", "apache 2.0", "apache software license", "apache-2.0", "bsd", "bsd license"),
    *("apache-2.0 with llvm-exception", "bsd 2-clause license", "bsd 3-clause license"),
    *("3-clause bsd license", "bsd-2-clause", "bsd-3-clause", "bsl-1.0", "cc0-1.0", "isc"),
    *("mit", "mit license", "mit-0", "psf-2.0", "python software foundation license", "zlib"),
    *("lgpl-2.1-or-later", "lgpl-3.0-only", "mpl-2.0"),
    *("mozilla public license 2.0 (mpl 2.0)", "dfsg approved"),
}
"""Licences, as packages write them, under which a part may be used and given away with the rest."""

EXTRAS = {"voice": {"piper-tts"}}
"""Packages that may be under any licence where their extra is wanted: they run on their own."""


@dataclass(frozen=True, slots=True)
class Advisories:
    """What is known against packages, and of which day; `accepted` are reasons by identifier."""

    day: date
    note: str
    accepted: dict[str, str]
    entries: list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Finding:
    """An advisory that is about a package as it is here."""

    package: str
    version: str
    names: tuple[str, ...]
    summary: str


def main(words: list[str]) -> int:
    """Look, or take advisories over; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--extra", action="append", choices=EXTRAS, default=[])
    parser.add_argument("--from", dest="export", type=Path, metavar="ALL.ZIP")
    parser.add_argument("--date", type=date.fromisoformat, default=date.today())
    given = parser.parse_args(words)
    try:
        packages = Path(sysconfig.get_path("purelib"))
        parts = installed(packages)
        versions = {(part.name, part.version) for part in parts} | set(pinned(HERE))
        if given.export is not None:
            taken = take_over(given.export, {name for name, _ in versions}, given.date)
            say(f"{FILE.name}: {taken} advisories as of {given.date}")
            return 0
        known = read(FILE)
        problems = [*advised(known, versions, given.date), *unlicensed(parts, given.extra)]
    except (Stopped, InvalidVersion) as exc:
        problems = [str(exc)]
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0


def advised(known: Advisories, versions: Iterable[tuple[str, str]], today: date) -> list[str]:
    """Sentences about packages that must not stay as they are; says how much is known at all."""
    say(f"{len(known.entries)} advisories as of {known.day} ({known.note})")
    if today - known.day > FRESH:
        say(f"NOT FRESH: nothing is known of the {(today - known.day).days} days since: {REMEDY}")
    problems = []
    for finding in findings(known.entries, versions):
        named = f"{finding.package} {finding.version}: {', '.join(finding.names)}"
        reason = next((known.accepted[n] for n in finding.names if n in known.accepted), None)
        if reason is None:
            problems.append(f"{named}: {finding.summary}: upgrade it with packaging/pin.py")
        else:
            say(f"accepted: {named}: {reason}")
    return problems


def unlicensed(parts: Iterable[Component], extras: Iterable[str] = ()) -> list[str]:
    """Sentences about distributions whose licence is not allowed."""
    free = inventory.EXCEPTED.union(*(EXTRAS[extra] for extra in extras))
    return [
        f"{part.name} {part.version} is under {part.licence}, which is not allowed here: leave it "
        "out, or add its licence to packaging/audit.py if it may be given away with the rest"
        for part in parts
        if not allowed(part.licence) and canonicalize_name(part.name) not in free
    ]


def allowed(licence: str) -> bool:
    """Whether each licence of a list, or one of each choice, is allowed."""
    return licence.lower() in ALLOWED or all(
        any(choice.strip(" ()").lower() in ALLOWED for choice in part.split(" OR "))
        for part in re.split(r" AND |, ", licence)
    )


def installed(packages: Path) -> list[Component]:
    """Every distribution in a folder of packages; raises `Stopped` when there is none."""
    parts = [inventory.package(folder) for folder in sorted(packages.glob("*.dist-info"))]
    if not parts:
        raise Stopped(f"No package is installed in {packages}: run this in a virtual environment")
    return parts


def pinned(folder: Path) -> Iterator[tuple[str, str]]:
    """Names and versions in the constraints files of a folder."""
    for file in sorted(folder.glob("constraints*.txt")):
        yield from re.findall(r"^([\w.-]+)==([^\s;\\]+)", file.read_text("utf-8"), re.MULTILINE)


def read(file: Path) -> Advisories:
    """The advisories in a file; raises `Stopped` when it holds none or cannot be read."""
    try:
        record = json.loads(file.read_text("utf-8"))
        known = Advisories(
            date.fromisoformat(record["date"]),
            str(record["note"]),
            dict(record["accepted"]),
            list(record["advisories"]),
        )
    except (OSError, ValueError, KeyError, TypeError) as exc:
        raise Stopped(f"The advisories in {file.name} cannot be read ({exc}): {REMEDY}") from exc
    if not known.entries:
        raise Stopped(f"There is no advisory in {file.name}, so nothing was audited: {REMEDY}")
    return known


def findings(
    entries: Iterable[dict[str, Any]], versions: Iterable[tuple[str, str]]
) -> Iterator[Finding]:
    """Each advisory, once, with each package and version that it is about."""
    here: dict[str, set[str]] = {}
    for name, version in versions:
        here.setdefault(canonicalize_name(name), set()).add(version)
    seen: set[tuple[str, str, str]] = set()
    for entry in entries:
        names = (entry["id"], *entry.get("aliases", ()))
        for package, version in _about(entry, here):
            keys = {(package, version, name) for name in names}
            if not keys & seen and not entry.get("withdrawn"):
                yield Finding(package, version, names, entry.get("summary", "see its text"))
            seen |= keys


def _about(entry: dict[str, Any], here: dict[str, set[str]]) -> Iterator[tuple[str, str]]:
    for affected in entry.get("affected", ()):
        package = affected["package"]
        name = canonicalize_name(package["name"])
        if package["ecosystem"] == "PyPI":
            for version in sorted(here.get(name, ())):
                if version in affected.get("versions", ()) or _within(affected, version):
                    yield name, version


def _within(affected: dict[str, Any], version: str) -> bool:
    return any(
        _reached(one["events"], Version(version))
        for one in affected.get("ranges", ())
        if one["type"] == "ECOSYSTEM"
    )


def _reached(events: list[dict[str, str]], version: Version) -> bool:
    """Whether a version lies in one of the spans that a range's events begin and end."""
    inside = False
    for event in events:
        match event:
            case {"introduced": begin}:
                inside = begin == "0" or version >= Version(begin)
            case {"fixed": end} if inside:
                if version < Version(end):
                    return True
                inside = False
            case {"last_affected": last} if inside:
                if version <= Version(last):
                    return True
                inside = False
    return inside


def take_over(export: Path, names: set[str], day: date) -> int:
    """Replace the file's advisories by those of an export about these packages; how many."""
    wanted = {canonicalize_name(name) for name in names}
    entries = []
    try:
        with zipfile.ZipFile(export) as archive:
            for member in sorted(archive.namelist()):
                entry = json.loads(archive.read(member))
                about = {canonicalize_name(a["package"]["name"]) for a in entry.get("affected", ())}
                if about & wanted:
                    entries.append(_kept(entry, wanted))
        before = read(FILE).accepted if FILE.exists() else {}
    except (OSError, ValueError, KeyError, zipfile.BadZipFile) as exc:
        raise Stopped(f"The export {export} cannot be read ({exc}): fetch it again") from exc
    if not entries:
        raise Stopped(f"The export {export} has nothing about these packages: fetch PyPI/all.zip")
    record = {
        "date": day.isoformat(),
        "note": "OSV's export, all advisories about these packages",
        "accepted": before,
        "advisories": entries,
    }
    FILE.write_text(json.dumps(record, indent=1) + "\n", "utf-8")
    return len(entries)


def _kept(entry: dict[str, Any], wanted: set[str]) -> dict[str, Any]:
    """What is needed of an advisory, without its long text."""
    fields = ("id", "aliases", "summary", "withdrawn")
    affected = [
        {key: a[key] for key in ("package", "ranges", "versions") if key in a}
        for a in entry["affected"]
        if canonicalize_name(a["package"]["name"]) in wanted
    ]
    return {**{key: entry[key] for key in fields if key in entry}, "affected": affected}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
