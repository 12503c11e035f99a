"""Own artwork of landscape tiles, tables of them, and the small network that reads them."""
