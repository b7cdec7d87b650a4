# Every target makes .venv and installs what it needs by itself: start with `make demo`.

PYTHON ?= python3
JOBS   ?= 2
SECONDS_OF_FUZZ ?= 3600

VENV  := .venv
BIN   := $(VENV)/bin
STAMP := $(VENV)/.installed
PEERS := $(VENV)/.peers
RLLIB := .venv-rllib# RLlib pins Gymnasium
OPEN  := .venv-openenv# OpenEnv needs mcp below 2
PIP   := $(BIN)/python -m pip install -qq --disable-pip-version-check# -qq: nothing but errors
DEV   := build ship arena train web mcp cluster docs dev# the extras in requirements.lock
GPU   := cuda-bindings cuda-toolkit nvidia-cudnn-cu13 nvidia-cusparselt-cu13 nvidia-nccl-cu13 nvidia-nvshmem-cu13 triton
CODE  := smallcity_script.py browser/make_page.py browser/answer.py smallcity_env agents/smallcity_agents training/smallcity_training bench/smallcity_bench

.DEFAULT_GOAL := help
.PHONY: help demo web test quick fuzz lint wheel wasm sbom lock docs docs-serve catalogue faults ecosystem bench clean

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## /\1|/p' $(firstword $(MAKEFILE_LIST)) | awk -F'|' '{ printf "make %-10s %s\n", $$1, $$2 }'

demo: $(STAMP) ## show a game of four, and a small arena of agents
	@$(BIN)/smallcity demo

web: $(STAMP) ## play in the browser
	@$(BIN)/smallcity web

test: lint ## lint, then every test (JOBS=2 at a time)
	@$(BIN)/python -m pytest -n $(JOBS) --dist worksteal tests/rulebook
	@$(BIN)/python -m pytest -n $(JOBS) --dist worksteal

quick: $(STAMP) ## the rules and their tables, in less than a minute: for the inner loop
	@$(BIN)/ruff check --quiet .
	@$(BIN)/python -m pytest -n $(JOBS) --dist worksteal tests/rulebook
	@$(BIN)/python -m pytest -n $(JOBS) --dist worksteal $(addprefix tests/test_,$(addsuffix .py,\
		architecture config golden perft questions rules_tables sets))

fuzz: $(STAMP) ## wrong arguments, files and messages at random, for an hour (SECONDS_OF_FUZZ=3600)
	@$(BIN)/python -m tests.fuzz --seconds $(SECONDS_OF_FUZZ)

lint: $(STAMP) ## ruff and mypy
	@$(BIN)/ruff check --quiet .
	@$(BIN)/mypy --no-error-summary $(CODE)

wheel: $(STAMP) ## build the libraries and the wheel into dist/, and check it
	@rm -rf build dist
	@$(BIN)/python -m smallcity_env.ship
	@$(BIN)/python -m build --wheel --no-isolation > /dev/null
	@$(BIN)/python -m twine check --strict dist/*.whl
	@$(BIN)/check-wheel-contents --toplevel smallcity_env,smallcity_agents,smallcity_training,smallcity_script.py dist/*.whl
	@rm -rf build

wasm: $(STAMP) ## the rules and agents as WebAssembly with their C header, for other languages, into build/wasm
	@mkdir -p build/wasm
	@$(BIN)/python -m smallcity_env.ship --wasm build/wasm/smallcity.wasm
	@$(BIN)/python -m smallcity_env.ship --header build/wasm/smallcity.h

sbom: wheel ## what the wheel with its extras depends on, with licences: build/sbom.cdx.json (CycloneDX)
	@$(PIP) -c constraints.txt cyclonedx-bom
	@$(PYTHON) -m venv --clear build/sbom
	@build/sbom/bin/python -m pip install -qq --disable-pip-version-check -c constraints.txt \
		"$$(ls dist/*.whl)[arena,train,pictures,web,mcp,minari,cluster]"
	@$(BIN)/cyclonedx-py environment --pyproject pyproject.toml --PEP-639 -o build/sbom.cdx.json build/sbom/bin/python

lock: $(STAMP) ## requirements.lock anew, from pyproject.toml and constraints.txt; torch and what its GPU build needs stay out
	@$(PIP) -c constraints.txt uv
	@printf '%s\n' $(GPU) | $(BIN)/uv pip compile pyproject.toml $(DEV:%=--extra %) -c constraints.txt --excludes /dev/stdin \
		--no-emit-package torch --universal --generate-hashes --no-annotate --custom-compile-command 'make lock' --quiet -o requirements.lock

docs: $(STAMP) ## the site, from the pages in docs/, into build/site; the game without a server into its play/
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict
	@if command -v npm > /dev/null; then $(BIN)/python browser/make_page.py build/site/play; \
		else echo "No Node.js here: the site has no game (build/site/play)."; fi

docs-serve: $(STAMP) ## the site in the browser, built again when a page changes
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs serve --open

catalogue: $(STAMP) ## find the texts of the code, renew their catalogues, list what is not translated
	@$(BIN)/python -m tests.catalogue

faults: $(STAMP) ## stop, fill and tear every command that writes, and see what it keeps (minutes)
	@$(BIN)/python -m tests.faults.matrix

ecosystem: $(STAMP) ## the recipes with their real libraries, and the table of docs/ecosystem.md
	@echo "Installing the libraries of recipes/ (once; some minutes, 2 GB) ..."
	@$(PIP) -c constraints.txt -e '.[ecosystem]'
	@test -x $(RLLIB)/bin/pip || $(PYTHON) -m venv $(RLLIB)
	@$(RLLIB)/bin/python -m pip install -qq --disable-pip-version-check -e '.[build,rllib,train]' pytest torch==2.13.0
	@for python in $(BIN)/python $(RLLIB)/bin/python; do \
		$$python -m pytest tests/test_recipes.py && $$python recipes/run.py --write docs/ecosystem.md || exit 1; \
	done
	@test -x $(OPEN)/bin/pip || $(PYTHON) -m venv $(OPEN)
	@$(OPEN)/bin/python -m pip install -qq --disable-pip-version-check -e '.[build,openenv]' pytest trl torch==2.13.0
	@$(OPEN)/bin/python -m pytest tests/agents/test_openenv.py tests/agents/test_doors.py

bench: $(PEERS) ## measure decisions a second, beside other environments
	@$(BIN)/smallcity bench

clean: ## remove .venv, caches and builds; results in runs/ stay
	@rm -rf $(VENV) $(RLLIB) $(OPEN) build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
	@find . -name .git -prune -o -name __pycache__ -type d -prune -exec rm -rf {} +

$(STAMP): pyproject.toml constraints.txt requirements.lock
	@echo "Installing smallcity-env and its development tools into $(VENV) (once; takes a minute) ..."
	@test -x $(BIN)/pip || $(PYTHON) -m venv --clear $(VENV) || $(PYTHON) -m virtualenv --quiet --clear $(VENV) \
		|| { echo "No $(VENV): '$(PYTHON) -m venv' and '$(PYTHON) -m virtualenv' both failed." >&2; exit 1; }
	@# Every file must have the hash in the lock; only torch, which has builds of its own, is pinned by version.
	@$(PIP) --require-hashes --no-deps -r requirements.lock
	@$(PIP) -c constraints.txt torch
	@$(PIP) --no-deps --no-build-isolation -e .
	@$(BIN)/python -m smallcity_env.ship --here
	@touch $@

$(PEERS): $(STAMP)
	@echo "Installing what the bench compares with into $(VENV) (once; some minutes, 2 GB) ..."
	@$(PIP) -c constraints.txt -e '.[bench]'
	@touch $@
