"""The native backend: loops of a graph as machine code, made while the program runs."""
