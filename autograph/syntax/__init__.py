"""Python source and its trees: reading, writing, filling in and compiling them."""
