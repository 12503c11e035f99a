"""Reading a table of landscape tiles: lattice, kinds and turns, figures."""
