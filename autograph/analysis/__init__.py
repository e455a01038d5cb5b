"""What a function does with its names: scopes, control flow, liveness, definitions.

Trees are read here and never changed.
"""

from autograph.analysis.analyze import Analysis, analyze

__all__ = ["Analysis", "analyze"]
