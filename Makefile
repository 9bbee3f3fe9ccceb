# `make demo` and `make test` are all that a fresh machine with python 3.11 needs.
PYTHON ?= python3.11
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --no-compile --disable-pip-version-check -c constraints.txt

# compiled modules are kept: without them each of the many processes of the tests compiles numpy and torch again
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo test soak lint bench leaderboard clean chromium

demo: $(VENV)/demo.stamp
	$(BIN)/fingertip demo

test: $(VENV)/test.stamp .venv-space/test.stamp chromium
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m pytest -n 2 --dist loadfile --no-loadscope-reorder

# what a release needs: every test at full size, months of many simulated people and long walks among them
soak: $(VENV)/test.stamp .venv-space/test.stamp chromium
	FINGERTIP_SOAK=1 $(BIN)/python -m pytest -n 2 --dist loadfile --no-loadscope-reorder -m 'soak or not soak' --timeout 1800

lint: $(VENV)/test.stamp
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(VENV)/test.stamp
	$(BIN)/python -m benchmarks

# the simulated benchmark with our baselines, verified; `fingertip leaderboard` shows the bundles
leaderboard: $(VENV)/demo.stamp
	rm -rf build/fingertip-sim
	$(BIN)/python -m fingertip_leaderboard.fingertip_sim build/fingertip-sim

clean:
	rm -rf $(VENV) .venv-space build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/demo.stamp: $(VENV)/bin/python pyproject.toml constraints.txt
	$(PIP) -e '.[demo]'
	touch $@

$(VENV)/test.stamp: $(VENV)/bin/python pyproject.toml constraints.txt
	$(PIP) torch
	$(PIP) -e '.[test]'
	touch $@

# the browser of the tests: the one that is there, else Debian's
chromium:
	@command -v chromium chromium-browser google-chrome >/dev/null || { \
	  command -v apt-get >/dev/null && test "$$(id -u)" = 0 && apt-get -qq update && apt-get -qq install -y --no-install-recommends chromium >/dev/null; \
	} || { echo "make test: expected chromium on the PATH, got none: install it (Debian: apt-get install chromium)"; exit 2; }

# the pages of the metric Spaces: gradio wants an older pillow, so a venv of its own over the tested packages
.venv-space/test.stamp: $(VENV)/test.stamp
	$(PYTHON) -m venv .venv-space
	printf '%s\n' "$(CURDIR)" "$$($(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')" \
	  > "$$(.venv-space/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/tested.pth"
	grep -v '^pillow' constraints.txt > .venv-space/constraints.txt
	.venv-space/bin/python -m pip install --quiet --no-compile --disable-pip-version-check -c .venv-space/constraints.txt gradio==6.31.0
	touch $@
