"""Facts as records: every one can be written as a line of strict JSON."""

from __future__ import annotations

import json
import math
import re
from dataclasses import FrozenInstanceError, fields, is_dataclass
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import commands, events
from engine.events import Evidence, Reading, TurnCommitted, VitalsRead

FACTS = [
    kind
    for kind in vars(events).values()
    if isinstance(kind, type) and is_dataclass(kind) and kind.__module__ == events.__name__
]
ANY_DETAILS: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.lists(inner).map(tuple) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


def facts(kind: type[Any]) -> st.SearchStrategy[Any]:
    """Any fact of a kind, its numbers of any value."""
    values = {field.name: ANY_DETAILS for field in fields(kind) if field.type == "dict[str, Any]"}
    return st.builds(kind, **{name: st.dictionaries(st.text(), v) for name, v in values.items()})


@settings(max_examples=20)
@given(data=st.data())
@pytest.mark.parametrize("kind", FACTS)
def test_every_fact_is_a_line_of_strict_json(kind: type[Any], data: st.DataObject) -> None:
    fact = data.draw(facts(kind))
    record = events.to_record(fact)
    line = json.dumps(record, allow_nan=False, ensure_ascii=True)
    assert json.loads(line).keys() == record.keys()
    assert next(iter(record)) == "type"


@pytest.mark.parametrize("kind", FACTS)
def test_type_names_are_words_apart_and_unlike_each_other(kind: type[Any]) -> None:
    name = events.type_name(object.__new__(kind))
    assert re.fullmatch(r"[a-z]+(_[a-z]+)*", name)
    assert name.replace("_", "") == kind.__name__.lower()


def test_record_of_a_turn() -> None:
    record = events.to_record(
        TurnCommitted(heard_s=1.23456789, turn=2, text="hi", from_branch=True)
    )
    assert record == {
        "type": "turn_committed",
        "heard_s": 1.234568,
        "turn": 2,
        "text": "hi",
        "from_branch": True,
    }


EVENTS = [kind for kind in FACTS if issubclass(kind, events.Event)]


@settings(max_examples=20)
@given(data=st.data())
@pytest.mark.parametrize("kind", EVENTS)
def test_an_event_comes_back_from_its_line(kind: type[Any], data: st.DataObject) -> None:
    record = events.to_record(data.draw(facts(kind)))
    back = events.from_record(json.loads(json.dumps(record)))
    assert type(back) is kind
    assert events.to_record(back) == record


def test_a_state_comes_back_as_a_state() -> None:
    moved = events.StateChanged(heard_s=1.0, turn=1, state=events.TurnState.PAUSING)
    back = events.from_record(events.to_record(moved))
    assert isinstance(back, events.StateChanged)
    assert back.state is events.TurnState.PAUSING


def test_what_json_has_no_number_for_comes_back_as_none_too() -> None:
    told = events.to_record(events.TurnEndEstimated(heard_s=1.0, p_end=math.inf))
    assert told["p_end"] is None
    back = events.from_record(told)
    assert isinstance(back, events.TurnEndEstimated)
    assert math.isnan(back.p_end)


def test_what_is_no_event_known_here_does_not_come_back() -> None:
    assert events.from_record({"type": "turn_forgotten", "heard_s": 1.0}) is None
    assert events.from_record(events.to_record(commands.SwitchPads(on=True))) is None


def test_reading_without_a_value_is_null_with_its_reason() -> None:
    missing = Reading(value=None, unit="W", evidence=Evidence.UNAVAILABLE, reason="no counter")
    present = Reading(value=3.0, unit="W", evidence=Evidence.MEASURED)
    names = [field.name for field in fields(VitalsRead) if field.type == "Reading"]
    vitals = VitalsRead(
        wall_s=0.0, core_loads=(1.0,), **{**dict.fromkeys(names, present), "energy": missing}
    )
    record = events.to_record(vitals)
    assert record["energy"] == {
        "value": None,
        "unit": "W",
        "evidence": "unavailable",
        "reason": "no counter",
    }
    assert record["core_loads"] == [1.0]


def test_facts_cannot_be_changed() -> None:
    fact = TurnCommitted(heard_s=0.0, turn=1, text="", from_branch=False)
    with pytest.raises(FrozenInstanceError):
        fact.turn = 2  # type: ignore[misc]
