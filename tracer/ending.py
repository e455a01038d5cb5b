"""ending: what walks nested structures is put away as soon as a program ends.

Functions that a program has left to be called then (`atexit`), before a first call of
a decorated function has loaded optree, come after that has forgotten what a tuple is.
"""

import atexit

import optree  # noqa: F401 - what it does at exit comes after what is asked for later

from runtime.config import config

atexit.register(config.at_exit)
