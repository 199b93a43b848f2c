# Wargame Studio. `make help` lists what there is.
SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

# The Python that the environment is made of; any 3.11 or newer.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PINS := .ci/constraints.txt

# Where the sample scenario's results go.
SAMPLE := armageddon-01
SCENARIO := scenarios/$(SAMPLE).scenario.json
MAP := maps/armageddon-1.map.json
OUT := exports/$(SAMPLE)
FRONT := scenarios/practice-front.scenario.json

WEB := studio/editor/web
BUNDLE := studio/editor/static/editor.js

export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PIP_ROOT_USER_ACTION := ignore
export npm_config_audit := false
export npm_config_fund := false
export npm_config_update_notifier := false

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z][a-z-]*:.*## / { printf "make %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# ---------------------------------------------------------------- the environment

# Two stamps: whoever only wants to use the studio need not install what the tests and the linters need.
$(VENV)/.studio: pyproject.toml $(PINS)
	@PYTHON='$(PYTHON)' bash .ci/need python
	@$(BIN)/python -m pip --version >/dev/null 2>&1 || { \
	    echo 'Making $(VENV) and installing the studio (once; some minutes) …'; \
	    '$(PYTHON)' -m venv --clear $(VENV); }
	@$(BIN)/python -m pip install -q -c $(PINS) hatchling editables
	@$(BIN)/python -m pip install -q -c $(PINS) --no-build-isolation -e .
	@touch $@

$(VENV)/.dev: $(VENV)/.studio
	@echo 'Installing what the tests and the linters need …'
	@$(BIN)/python -m pip install -q -c $(PINS) --no-build-isolation -e '.[dev]'
	@touch $@

$(VENV)/.bench: $(VENV)/.dev
	@echo 'Installing the libraries that the benchmarks measure beside …'
	@$(BIN)/python -m pip install -q -c $(PINS) --no-build-isolation -e '.[bench]'
	@touch $@

.PHONY: venv
venv: $(VENV)/.dev ## make or refresh .venv with the studio, its tests' needs and the linters
	@echo 'Ready: $(BIN)/studio, $(BIN)/python'

# ---------------------------------------------------------------- the studio

# The lines below are what a designer would type; each prints what it found or wrote.
.PHONY: studio
studio: $(VENV)/.studio ## walk the sample scenarios: check, pictures of sight and supply, sheet, bundle; then open JupyterLab
	@mkdir -p exports
	$(BIN)/studio check $(SCENARIO)
	$(BIN)/studio sight $(MAP) X5 U9 --picture $(OUT)-sight.png
	$(BIN)/studio view $(MAP) X5 --picture $(OUT)-view.png
	$(BIN)/studio supply $(FRONT) --side iraq --picture exports/practice-front-supply.png
	$(BIN)/studio brief $(SCENARIO) -o $(OUT)-sheet.pdf
	$(BIN)/studio export $(SCENARIO) --to bundle -o $(OUT).bundle.zip
	@echo
	@echo 'Checked:        $(SCENARIO)'
	@echo 'Line of sight:  $(OUT)-sight.png'
	@echo 'Field of view:  $(OUT)-view.png'
	@echo 'Supply:         exports/practice-front-supply.png'
	@echo 'Scenario sheet: $(OUT)-sheet.pdf'
	@echo 'Engine bundle:  $(OUT).bundle.zip'
	@if [ -t 1 ]; then $(BIN)/studio lab; else echo 'To draw:        $(BIN)/studio lab'; fi

# ---------------------------------------------------------------- the tests

# Jupyter and matplotlib keep their settings in the home directory; a test must not depend on whose it is.
QUIET_KERNEL := PYDEVD_DISABLE_FILE_VALIDATION=1 MPLBACKEND=module://matplotlib_inline.backend_inline
NBVAL := XDG_STATE_HOME=$(CURDIR)/$(VENV)/state $(QUIET_KERNEL) $(BIN)/python -m pytest -p no:cacheprovider --override-ini addopts= --override-ini filterwarnings= \
	--nbval-sanitize-with tests/project/notebooks.cfg --nbval-cell-timeout 120 --nbval-current-env
STRICT_NOTEBOOKS = $(wildcard notebooks/*.ipynb)
GALLERY_NOTEBOOKS = $(wildcard notebooks/gallery/*.ipynb)

# Every kind runs even when one before it failed; pytest's own last line comes last.
.PHONY: test
test: $(VENV)/.dev ## run every test: JavaScript, notebooks, then units, doctests and the editor in a browser
	@bash .ci/need chromium node tiled ogrinfo
	@status=0; \
	$(MAKE) test-web || status=1; \
	$(MAKE) test-notebooks || status=1; \
	STUDIO_TESTS_NEED='chromium node tiled ogrinfo' $(MAKE) test-python || status=1; \
	exit $$status

.PHONY: test-web
test-web: ## run the tests of the editor's JavaScript alone (needs Node.js, no browser)
	@bash .ci/need node
	@set -- $(WEB)/tests/*.test.js; [ ! -e "$$1" ] || node --test "$$@"

# A worker a core, up to four; the tests of one file stay together, since they share what is dear to set up.
WORKERS ?= $(shell n=$$(nproc 2>/dev/null || echo 2); [ $$n -gt 4 ] && n=4; echo $$n)

.PHONY: test-python
test-python: $(VENV)/.dev ## run pytest alone (ARGS='-k sight' hands options on, WORKERS=0 runs it in one process)
	@$(BIN)/python -m pytest -n $(WORKERS) --dist loadfile $(ARGS)

# What the studio says of chosen lines of sight; the difference is for people to read before they commit it.
.PHONY: golden
golden: $(VENV)/.dev ## write the golden explanations in tests/golden anew
	@$(BIN)/python -m tests.golden $(ARGS)

.PHONY: pictures
pictures: $(VENV)/.dev ## draw the pictures of docs/gallery.md anew (ARGS=gallery-town.png for one)
	@MPLBACKEND=agg $(BIN)/python -m tests.draw.gallery $(ARGS)

.PHONY: screenshots
screenshots: $(VENV)/.dev ## take the screenshots of the editor in README and docs anew (ARGS=editor-urban for one)
	@bash .ci/need chromium
	@MPLBACKEND=agg $(BIN)/python -m tests.browser.pictures $(ARGS)

# The outputs of the notebooks that show the API must come out again as they were saved; of the gallery, only that it runs.
.PHONY: test-notebooks
test-notebooks: $(VENV)/.dev ## run the notebooks and compare their outputs
	@status=0; \
	if [ -n '$(STRICT_NOTEBOOKS)' ]; then $(NBVAL) --nbval $(STRICT_NOTEBOOKS) || status=1; fi; \
	if [ -n '$(GALLERY_NOTEBOOKS)' ]; then $(NBVAL) --nbval-lax $(GALLERY_NOTEBOOKS) || status=1; fi; \
	exit $$status

.PHONY: soak
soak: $(VENV)/.dev ## hold the fast paths of every game to its judge on thousands of random maps (hours)
	HYPOTHESIS_PROFILE=thorough $(BIN)/python -m pytest -q tests/sight/test_every_game.py tests/sight/test_invariance.py

.PHONY: bench
bench: $(VENV)/.bench ## measure speed and memory: every tests/benchmarks/bench_*.py
	@status=0; found=no; \
	for file in tests/benchmarks/bench_*.py; do \
	    [ -e "$$file" ] || continue; \
	    found=yes; name=$${file%.py}; \
	    echo "== $$name"; \
	    $(BIN)/python -m "$${name//\//.}" || status=1; \
	done; \
	[ $$found = yes ] || echo 'No benchmarks yet: they go into tests/benchmarks/bench_NAME.py'; \
	exit $$status

.PHONY: notebooks
notebooks: $(VENV)/.dev ## run the notebooks and save their outputs
	@files='$(STRICT_NOTEBOOKS) $(GALLERY_NOTEBOOKS)'; \
	if [ -z "$${files// /}" ]; then echo 'No notebooks yet: they go into notebooks/'; exit 0; fi; \
	$(QUIET_KERNEL) $(BIN)/python -m jupyter nbconvert --to notebook --execute --inplace \
	    --ExecutePreprocessor.timeout=120 --ExecutePreprocessor.record_timing=False --ExecutePreprocessor.store_widget_state=False $$files

# ---------------------------------------------------------------- what a commit must pass

.PHONY: lint
lint: $(VENV)/.dev ## ruff, mypy and the floors of the house
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

.PHONY: format
format: $(VENV)/.dev ## let ruff mend what it can
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

.PHONY: web
web: ## build the editor's JavaScript (needs Node.js)
	@bash .ci/need npm
	@test -e $(WEB)/package.json || { echo 'No $(WEB)/package.json: nothing to build' >&2; exit 1; }
	cd $(WEB) && if [ ! package-lock.json -ot node_modules/.package-lock.json ]; then npm ci --no-progress; fi
	cd $(WEB) && npm run build

# The bundles are committed so that installing needs no Node.js; they must be what their sources give.
.PHONY: check-web
check-web: ## rebuild the editor's JavaScript and compare it with the committed bundles
	@bash .ci/need npm
	@test -e $(BUNDLE) || { echo '$(BUNDLE) is missing: run make web and commit it' >&2; exit 1; }
	cd $(WEB) && if [ ! package-lock.json -ot node_modules/.package-lock.json ]; then npm ci --no-progress; fi
	cd $(WEB) && npm run check

.PHONY: check-install
check-install: ## install as a user does, into a throwaway environment without Node.js
	@PYTHON='$(PYTHON)' bash .ci/need python
	@PYTHON='$(PYTHON)' bash .ci/check-install

.PHONY: clean
clean: ## remove what can be made again, .venv too; maps, scenarios and notebooks stay
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis $(WEB)/node_modules
	rm -f $(OUT)-sight.png $(OUT)-view.png $(OUT).bundle.zip exports/practice-front-supply.png
	find studio tests -name __pycache__ -type d -prune -exec rm -rf {} +
