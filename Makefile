# The project's commands. They need make and a Python 3.11, 3.12 or 3.13, nothing else.
#
#   make demo      the examples, each run plain and decorated, in a fresh environment
#   make test      every check and the whole suite, in a fresh environment
#   make test-all  the same on Python 3.11, 3.12 and 3.13
#   make check     the same as test in an environment that is kept: quick, for daily use
#   make format    let ruff format the tree and mend what it can
#   make bench     the table of tools/bench, beside the peers that are installed
#   make array-api the array API standard's own suite, where ARRAY_API_TESTS names it
#   make clean     remove environments and caches
#
# PYTHON names the interpreter (default: python3 if it fits, else the newest that does).
# PYTEST_FLAGS are passed to pytest, BENCH_FLAGS to tools/bench/table.py (--quick, --rows).

PYTHON ?=
# Tests go from the worker that has more left to the one that has none.
PYTEST_FLAGS ?= -n 2 --dist worksteal
BENCH_FLAGS ?=
export PYTHON

# What the caller's shell adds to the import path is no part of a fresh environment.
unexport PYTHONPATH
unexport PYTHONHOME

VENV_TEST ?= .venv-test
VENV_DEMO ?= .venv-demo
VENV_DEV ?= .venv-dev
VERSIONS := 3.11 3.12 3.13

.PHONY: demo test test-all check format bench array-api clean
.DEFAULT_GOAL := check

# $(call fresh,VENV,WHAT): a new environment with WHAT installed from the project's files.
define fresh
	@python=$$(sh tools/find_python.sh) && \
	    echo "== $$($$python --version), environment $(1)" && \
	    $$python -m venv --clear $(1)
	@$(1)/bin/python -m pip install --quiet --disable-pip-version-check $(2)
endef

# $(call checks,VENV): the linters, the types, the project's own rules, then the suite.
define checks
	$(1)/bin/ruff format --check .
	$(1)/bin/ruff check .
	$(1)/bin/python -m mypy
	$(1)/bin/python tools/check_layers.py
	$(1)/bin/python tools/check_limits.py
	$(1)/bin/python -m pytest -q $(PYTEST_FLAGS)
endef

demo:
	$(call fresh,$(VENV_DEMO),.)
	@$(VENV_DEMO)/bin/python examples/run.py

test:
	$(call fresh,$(VENV_TEST),".[test]")
	$(call checks,$(VENV_TEST))

test-all:
	@set -e; for version in $(VERSIONS); do \
	    python=$$(sh tools/find_python.sh $$version); \
	    $(MAKE) --no-print-directory test PYTHON=$$python VENV_TEST=.venv-$$version; \
	done

# Made anew when pyproject.toml changes; the project is installed as a link to the tree.
$(VENV_DEV)/made: pyproject.toml
	$(call fresh,$(VENV_DEV),--editable ".[dev]")
	@touch $@

check: $(VENV_DEV)/made
	$(call checks,$(VENV_DEV))

format: $(VENV_DEV)/made
	$(VENV_DEV)/bin/ruff format .
	$(VENV_DEV)/bin/ruff check --fix .

bench: $(VENV_DEV)/made
	@$(VENV_DEV)/bin/python tools/bench/table.py $(BENCH_FLAGS)

array-api: $(VENV_DEV)/made
	@$(VENV_DEV)/bin/python tools/array_api.py

clean:
	rm -rf .venv-* build dist htmlcov .coverage .coverage.* .hypothesis
	rm -rf .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
