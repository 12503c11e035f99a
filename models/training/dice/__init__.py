"""Training of the dice networks: their own pictures of dice, two small networks, export."""
