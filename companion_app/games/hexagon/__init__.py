"""Das Magische Hexagon on the screens."""
