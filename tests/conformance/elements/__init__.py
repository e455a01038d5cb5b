"""Every op on every dtype and layout: random calls, plain and as graphs.

calls: the calls of each op in the table; operands: dtypes, layouts and what is in them;
trials: a call with its operands, and what the graph does otherwise than NumPy.
"""
