"""Films of whole games on the reference boards, drawn by the project's own renderer."""
