# Everything happens in .venv, made on first use from the locked requirements; `make help` lists what can be asked.

.DEFAULT_GOAL := help
.PHONY: docs docs-test notebooks help run test coverage check web check-web bench rules journal json trust readme protocol pictures browser deploy-test lock sbom release release-test audit clean venv venv-dev

PYTHON ?= python3
ARGS ?=
BIN := .venv/bin
PIP := $(BIN)/python -m pip --quiet --quiet
CODE := $(wildcard natural9 tests bench release docs_site)
BENCHES := $(filter-out __init__ attacks browser deals fuzz_guided herd live_server long_journal plain_terminals,$(basename $(notdir $(sort $(wildcard bench/*.py)))))
LOCK := $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-strip-extras --no-emit-index-url --no-header $(ARGS)

export PIP_DISABLE_PIP_VERSION_CHECK := 1
# Many an image is built with it, and then every start reads and compiles all of our code anew: twice as slow.
unexport PYTHONDONTWRITEBYTECODE

help: ## list the targets (the default)
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "make %-12s %s\n", $$1, $$2}' Makefile

run: venv web ## open a venue with tables, bots and a sign-in for every role; ARGS="..." goes to `natural9 demo`
	@$(BIN)/natural9 demo $(ARGS)

# Tracing takes time, so only the tests that cover core, disk and store whole are traced, and those run once. Those of the
# journal are among them because they tell every event of a round.
COVERED := tests/core tests/disk tests/journal tests/store

# Two workers more than there are cores: a test with a browser or a server waits half of its time. A file stays with
# one worker, so that its server is started once.
WORKERS := $(shell expr $$(getconf _NPROCESSORS_ONLN) + 2)
FILES := --dist loadfile --no-loadscope-reorder $(COVERED:%=--ignore=%)

# Types of Python are checked by one core, the screens by the other.
test: venv-dev web/node_modules/made ## check, then run all tests on every core; ARGS="..." goes to pytest, for some tests only
	@$(MAKE) --no-print-directory --jobs=2 --output-sync check check-web web browser
	@echo "== pytest"
	@$(BIN)/python -m pytest -q -n $(WORKERS) $(or $(ARGS),$(FILES))
	@$(if $(ARGS),,$(MAKE) --no-print-directory coverage)

coverage: venv-dev ## run the tests of core, disk and store; fails where they leave out a branch
	@echo "== coverage of $(COVERED)"
	@$(BIN)/coverage erase
	@$(BIN)/coverage run -m pytest -q -n $(WORKERS) $(COVERED)
	@$(BIN)/coverage combine --quiet
	@$(BIN)/coverage report

check: venv-dev ## lint, formatting, types
	@echo "== ruff check"
	@$(BIN)/ruff check --quiet
	@echo "== ruff format --check"
	@$(BIN)/ruff format --check --quiet || { echo "badly formatted: run $(BIN)/ruff format" >&2; exit 1; }
	@echo "== mypy $(CODE)"
	@$(BIN)/mypy --no-error-summary $(CODE)

# Node comes from the locked requirements, so that every machine builds the screens with the same one.
NPM := cd web && PATH="$(CURDIR)/$(BIN):$$PATH" npm --no-update-notifier --loglevel=error
SCREENS := $(shell find web/src web/public -type f) web/index.html web/vite.config.ts web/svelte.config.js

web: natural9/server/web/index.html ## build the screens, if anything of them has changed
natural9/server/web/index.html: web/node_modules/made $(SCREENS)
	@echo "== building the screens"
	@$(NPM) run --silent build >/dev/null
web/node_modules/made: web/package-lock.json .venv/made | venv
	@echo "== installing web/package-lock.json into web/node_modules"
	@$(NPM) ci --no-audit --no-fund
	@touch $@

# svelte-check checks what is plain TypeScript as well, so there is no need of tsc.
check-web: web/node_modules/made ## types and tests of the screens
	@echo "== svelte-check"
	@$(NPM) run --silent check
	@echo "== vitest"
	@$(NPM) run --silent test

# The tests of the screens need a real browser; where there is none and we may, Debian's is installed.
browser:
	@for name in chromium chromium-browser google-chrome google-chrome-stable; do \
		command -v $$name >/dev/null && exit 0; \
	done; \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		echo "== installing chromium for the tests of the screens"; \
		{ apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium; } >/dev/null 2>&1 && exit 0; \
	fi; \
	echo "no Chromium found: the browser tests will be skipped (on Debian: apt install chromium)" >&2

# What reads the files of natural9/deploy: whatever is missing and may be installed is.
DEPLOY_TOOLS := systemd-analyze:systemd promtool:prometheus nginx:nginx-light haproxy:haproxy caddy:caddy mmdebstrap:mmdebstrap buildah:buildah

deploy-test: venv-dev web ## check everything in natural9/deploy by the tools that read it, installed where we may
	@for one in $(DEPLOY_TOOLS); do \
		PATH="$$PATH:/usr/sbin" command -v $${one%%:*} >/dev/null && continue; \
		if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
			echo "== installing $${one##*:}"; \
			{ apt-get update -qq && RUNLEVEL=1 apt-get install -y -qq --no-install-recommends $${one##*:}; } >/dev/null 2>&1 && continue; \
		fi; \
		echo "$${one%%:*} is missing: its tests will be skipped (on Debian: apt install $${one##*:})" >&2; \
	done
	@$(PIP) install check-jsonschema kubernetes-validate
	@DEPLOY_TEST=1 PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python -m pytest -q -rs tests/deploy tests/cli/test_drill.py tests/server/test_supervisor.py tests/server/test_tracing.py

protocol: venv ## write web/src/lib/protocol.ts anew from the server's own types
	@echo "== web/src/lib/protocol.ts"
	@$(BIN)/natural9 protocol --typescript > web/src/lib/protocol.ts

pictures: venv-dev web browser ## take the pictures of the screens anew from the running demo
	@echo "== docs/pictures, docs/screens.md"
	@$(BIN)/python -m tests.pictures --write

bench: venv-dev web browser ## run every script in bench/
	@set -e; for name in $(BENCHES); do echo "== bench.$$name"; $(BIN)/python -m bench.$$name; done

docs: venv-dev ## build the documentation into site/; a warning or a link that leads nowhere fails
	@echo "== site/"
	@$(BIN)/python -m docs_site

docs-test: venv-dev web ## run every command of every tutorial, the slow ones too
	@echo "== tutorials"
	@$(BIN)/python -m docs_site.tutorials

notebooks: venv-dev ## write docs/notebooks/*.ipynb anew from the scripts beside them
	@echo "== docs/notebooks"
	@for script in docs/notebooks/*.py; do $(BIN)/jupytext --quiet --to ipynb $$script; done

rules: venv-dev ## write docs/rules.md anew: each paragraph, the code that carries it, the tests that show it
	@echo "== docs/rules.md"
	@$(BIN)/python -m tests.rules_map --write

journal: venv-dev ## write those parts of docs/journal.md anew that follow from the code
	@echo "== docs/journal.md"
	@$(BIN)/python -m tests.journal_page --write

json: venv-dev ## write those parts of docs/json.md anew that commands answer
	@echo "== docs/json.md"
	@$(BIN)/python -m tests.json_page --write

trust: venv-dev ## tell every lie to everybody, and write into docs/trust.md who caught it
	@echo "== docs/trust.md"
	@$(BIN)/python -m tests.lies.trust_page --write

readme: venv-dev ## write the output under the README's commands anew
	@echo "== README.md"
	@$(BIN)/python -m tests.readme

# A pin that leaves out the extra it was asked for with stops holding for pip once a newer release is out.
# Locked pins stay as they are while they satisfy pyproject.toml; run.txt follows dev.txt, so that one .venv serves both.
lock: .venv/made ## lock requirements/ anew from pyproject.toml; ARGS=--upgrade takes the newest
	@echo "== locking requirements/"
	@$(PIP) install --upgrade uv
	@$(LOCK) --extra dev --output-file requirements/dev.txt pyproject.toml
	@$(LOCK) --extra all --extra build --extra engines --constraint requirements/dev.txt --output-file requirements/run.txt pyproject.toml

sbom: venv-dev ## write dist/natural9.cdx.json: every part that is locked, as CycloneDX
	@mkdir -p dist
	@$(BIN)/python -m release.sbom > dist/natural9.cdx.json
	@echo "== dist/natural9.cdx.json"

# Twice, from two copies of the commit: whoever builds it again gets the same bytes. It refuses a dirty tree.
release: venv-dev ## build sdist, wheel, bill and checksums into dist/, twice and compared; ARGS=--rehearsal before the day
	@$(BIN)/python -m release.release $(ARGS)

release-test: venv-dev ## install the wheel of dist/ alone into a clean environment, and every extra after it
	@$(BIN)/python -m pytest -q -s release/test_wheel.py $(ARGS)

# What is known against a part changes by the day, so it is asked for: this needs the network.
audit: venv-dev web/node_modules/made ## ask PyPI's and npm's advisories about every part that is locked
	@echo "== pip-audit"
	@$(PIP) install pip-audit
	@$(BIN)/pip-audit --requirement requirements/run.txt --require-hashes --disable-pip
	@echo "== npm audit"
	@$(NPM) audit --omit=dev

clean: ## remove .venv, caches and built files
	@echo "== removing .venv, caches and built files"
	@rm -rf .venv dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .coverage* web/node_modules natural9/server/web site
	@find . -name __pycache__ -not -path './.git/*' -prune -exec rm -rf {} +

venv: .venv/run ## only make .venv ready to run
venv-dev: .venv/dev ## only make .venv ready to test

# dev holds all that run does, so it answers for both.
.venv/run: .venv/made requirements/run.txt pyproject.toml
	$(call install,run)
.venv/dev: .venv/made requirements/dev.txt pyproject.toml
	$(call install,dev)
	@touch .venv/run

# While pip works the venv counts as not made: an install cut short is started over, never trusted.
define install
@echo "== installing requirements/$(1).txt into .venv"
@mv .venv/made .venv/unmade
@$(PIP) install --require-hashes --requirement requirements/$(1).txt
@$(PIP) install --no-deps --no-build-isolation --editable .
@mv .venv/unmade .venv/made
@touch $@
endef

.venv/made:
	@for python in $(PYTHON) python3.14 python3.13 python3.12 python3.11 none; do \
		$$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && break; \
	done; \
	if [ $$python = none ]; then \
		echo "natural9 needs Python 3.11 or newer; none found (name one: make PYTHON=/path/to/python3)" >&2; exit 1; \
	fi; \
	if ! $$python -c 'import venv, ensurepip' 2>/dev/null; then \
		echo "$$python lacks venv or ensurepip: install them (on Debian and Ubuntu: apt install python3-venv)" >&2; exit 1; \
	fi; \
	echo "== making .venv with $$($$python --version)"; \
	$$python -m venv --clear .venv
	@touch $@
