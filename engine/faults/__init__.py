"""Faults done on purpose, and what becomes of the application: `pads faults` and its tests."""
