"""Settings for all tests: graphs are verified after every construction and pass."""

import runtime.verify

runtime.verify.enabled = True
