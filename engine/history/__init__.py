"""What a conversation's events amount to: its timeline, past sessions, and their export."""
