"""What a user can have checked on their own device: ``boardwarden selftest``."""
