"""A run whose result a newer one replaces: the older stays, and says which one to read."""

from __future__ import annotations

from engine.errors import JobFailed
from engine.records.runs import RunDirectory


def supersede(older: RunDirectory, newer: RunDirectory) -> None:
    """Mark `older` as superseded by `newer`, in its manifest's `superseded_by`.

    `JobFailed` unless both are different finished runs of one job, and the newer began later and
    is not superseded itself.
    """
    old, new = older.manifest(), newer.manifest()
    why = ""
    if old["job"] != new["job"]:
        why = f"they are runs of {old['job']} and of {new['job']}"
    elif older.result() is None or newer.result() is None:
        why = "one of them has no result"
    elif (old["started"], older.name) >= (new["started"], newer.name):
        why = "it did not begin earlier"
    elif new.get("superseded_by"):
        why = f"that one is superseded by {new['superseded_by']}"
    if why:
        raise JobFailed(
            f"The run {older.name} cannot be superseded by {newer.name}: {why}",
            remedy="name two finished runs of one job, the older first",
        )
    older.update(superseded_by=newer.name)
