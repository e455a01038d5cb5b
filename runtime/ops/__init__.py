"""What every op means: its type rule and its NumPy kernel, one family per file."""
