"""Example calls of NumPy's functions and methods, and what a graph makes of them.

rows: one expression each, by section; measure: run plain and as graphs, and told apart.
"""
