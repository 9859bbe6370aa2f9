"""Do two runs of one job agree within their own intervals?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.records.figures import figures


def disagreements(first: Mapping[str, Any], second: Mapping[str, Any]) -> list[str]:
    """Where two results of one job do not agree, a sentence each; empty when they agree.

    Intervals must overlap, whole numbers without one (counts) be equal, and the same figures be
    available. Other numbers without an interval say nothing about their own spread and are not
    judged; results in which no interval could be compared do not agree.
    """
    one, two = figures(first), figures(second)
    faults = [f"{name}: only one of the runs has it" for name in sorted(one.keys() ^ two.keys())]
    compared = 0
    for name in one.keys() & two.keys():
        a, b = one[name], two[name]
        if (a["value"] is None) != (b["value"] is None):
            faults.append(f"{name}: available in one of the runs only")
        elif "low" in a and "low" in b:
            compared += 1
            if a["high"] < b["low"] or b["high"] < a["low"]:
                faults.append(f"{name}: {_span(a)} and {_span(b)} are apart")
        elif isinstance(a["value"], int) and isinstance(b["value"], int) and a != b:
            faults.append(f"{name}: counts {a['value']} and {b['value']}")
    if not compared:
        faults.append("there is no interval to compare")
    return sorted(faults)


def _span(figure: Mapping[str, Any]) -> str:
    return f"[{figure['low']:.4g}, {figure['high']:.4g}]"
