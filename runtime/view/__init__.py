"""Pictures of graphs: what is drawn, where it lies, and the files that show it."""
