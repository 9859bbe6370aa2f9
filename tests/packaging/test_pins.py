"""The constraints files say what pyproject.toml needs, with hashes, and what is installed."""

import importlib.metadata
import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
TESTS = PROJECT["optional-dependencies"]["test"]


def pins(*suffixes: str) -> dict[str, str]:
    """Version by name; every pin has at least one hash."""
    found = {}
    for suffix in suffixes:
        text = (ROOT / "packaging" / f"constraints{suffix}.txt").read_text("utf-8")
        joined = re.sub(r"#.*\n", "", text).replace("\\\n", " ")
        for line in joined.splitlines():
            name, version = line.split()[0].split("==")
            assert re.fullmatch(r"(\s+--hash=sha256:[0-9a-f]{64})+", line.partition(version)[2])
            found[name] = version
    return found


INSTALLED = pins("", "-test", "-bundle", "-llama")


@pytest.mark.parametrize("wanted", [*PROJECT["dependencies"], *TESTS])
def test_every_dependency_is_pinned_to_a_release_it_allows(wanted: str) -> None:
    requirement = Requirement(wanted)
    assert INSTALLED[canonicalize_name(requirement.name)] in requirement.specifier


def test_what_the_application_needs_does_not_wait_for_the_tests() -> None:
    names = {canonicalize_name(Requirement(wanted).name) for wanted in PROJECT["dependencies"]}
    assert names <= pins("", "-llama").keys()
    assert not pins("").keys() & pins("-test").keys()


def test_what_is_installed_needs_nothing_unpinned() -> None:
    for name in INSTALLED:
        for needed in importlib.metadata.requires(name) or []:
            requirement = Requirement(needed)
            if requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
                pinned = INSTALLED.get(canonicalize_name(requirement.name))
                assert pinned is not None, f"{name} needs {needed}"
                assert requirement.specifier.contains(pinned, prereleases=True), f"{name}: {needed}"


def test_what_is_installed_is_what_is_pinned() -> None:
    assert {name: importlib.metadata.version(name) for name in INSTALLED} == INSTALLED


def test_no_place_to_fetch_from_is_named() -> None:
    for path in (ROOT / "packaging").glob("*.*"):
        text = path.read_text("utf-8")
        assert not re.search(r"https?://|--(extra-)?index-url|--find-links", text), path.name
