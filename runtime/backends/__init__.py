"""Executors of graphs, one per folder; each the only one that imports its library."""
