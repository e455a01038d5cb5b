"""The TensorFlow column is measured by hand: it needs TensorFlow."""

collect_ignore = ["tensorflow_column.py"]
