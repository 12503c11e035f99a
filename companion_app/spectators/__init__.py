"""A read-only page for spectators on the same network: off until somebody turns it on."""
