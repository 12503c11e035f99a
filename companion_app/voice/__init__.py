"""What the app says aloud: the system's own voice where there is one, tones otherwise."""
