"""Games without eyes: scripted observations for the referee, the app and the tests."""
