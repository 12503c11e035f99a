"""Lens, measuring of boards, printed sheets, labelled collecting: what an owner does once."""
