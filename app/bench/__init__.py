"""Benches that need the window: what drawing costs, and hours of conversation."""
