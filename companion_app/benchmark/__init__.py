"""What ``boardwarden bench`` measures."""
