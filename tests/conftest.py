"""Settings for all tests.

Graphs are verified after every construction and pass, and what finds a trace quickly is
made by the first call that has it, so that the second one goes that way.
"""

import runtime.verify
import tracer.short_keys

runtime.verify.enabled = True
tracer.short_keys.MADE_AT = 1
