"""What a background job is: a name, plain words, typed parameters, needs, an entry point."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Literal

from engine.errors import JobFailed

Value = int | float | str | bool | Path | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """One typed parameter; a default of None means "not given"."""

    name: str
    kind: type[int] | type[float] | type[str] | type[bool] | type[Path]
    default: Value
    description: str
    minimum: float | None = None
    maximum: float | None = None
    choices: tuple[str, ...] = ()
    picks: Literal["folder", "file"] = "folder"
    """What a path names."""

    @property
    def title(self) -> str:
        """Its name as people read it."""
        return self.name.replace("_", " ").capitalize()

    @property
    def flag(self) -> str:
        """Its name on the command line."""
        return "--" + self.name.replace("_", "-")

    def checked(self, value: Value) -> Value:
        """The value in the parameter's type; `JobFailed` when it cannot be used."""
        if value is None and self.default is None:
            return None
        converted = self._converted(value)
        if self.choices and converted not in self.choices:
            raise self._rejected(value, f"choose one of {', '.join(self.choices)}")
        if isinstance(converted, (int, float)):
            if self.minimum is not None and not converted >= self.minimum:
                raise self._rejected(value, f"give at least {self.minimum:g}")
            if self.maximum is not None and not converted <= self.maximum:
                raise self._rejected(value, f"give at most {self.maximum:g}")
        return converted

    def _converted(self, value: Value) -> Value:
        if self.kind is bool or isinstance(value, bool):
            if self.kind is bool and isinstance(value, bool):
                return value
            raise self._rejected(value, "give true or false")
        try:
            converted = self.kind(value)  # type: ignore[arg-type]
        except (TypeError, ValueError) as exc:
            raise self._rejected(value, f"give a value of type {self.kind.__name__}") from exc
        # The job runs in a process of its own, to which a relative path may mean another file.
        return converted.expanduser().absolute() if isinstance(converted, Path) else converted

    def _rejected(self, value: Value, remedy: str) -> JobFailed:
        return JobFailed(f"The parameter {self.flag} cannot be {value!r}", remedy=remedy)


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """A kind of background job; `entry` is `module:function`, called with an `ActiveRun`."""

    name: str
    title: str
    description: str
    entry: str
    parameters: tuple[Parameter, ...] = ()
    memory_mb: int = 1000
    """Memory it needs at its defaults, in MB (10⁶ bytes); the guard admits by it."""
    disk_mb: int = 100
    """Disk it fills at its defaults, in MB."""

    @property
    def resumable(self) -> bool:
        """Whether a run of it can go on with an interrupted one."""
        return any(parameter.name == "resume" for parameter in self.parameters)

    def resolved(self, given: Mapping[str, Value]) -> dict[str, Value]:
        """All parameters, defaults filled in; `JobFailed` for unknown names and bad values."""
        known = {parameter.name for parameter in self.parameters}
        for name in given:
            if name not in known:
                raise JobFailed(
                    f"The job {self.name} has no parameter {name!r}",
                    remedy=f"it takes {', '.join(sorted(known)) or 'none'}",
                )
        return {p.name: p.checked(given.get(p.name, p.default)) for p in self.parameters}

    def function(self) -> Any:
        """The entry point itself."""
        module, _, name = self.entry.partition(":")
        return getattr(import_module(module), name)
