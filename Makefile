PY := .venv/bin/python
RUNNING := .venv/.running
DEVELOPING := .venv/.developing
# Nothing is resolved at set-up: the lock alone says what is installed, whatever pip this is and whatever came out since.
INSTALL := $(PY) -m pip install -qq --disable-pip-version-check --no-deps
RESOLVE := .venv/bin/uv pip compile --quiet --universal --generate-hashes --no-annotate --no-header --group build

.DEFAULT_GOAL := help
.PHONY: help setup chat up test drill check format lock

help:  ## this list
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 10

setup: $(DEVELOPING)  ## .venv from the lock files: what running needs, and what developing needs on top

# Each stamp is a copy of the lock that is installed: a file that was merely touched makes no new venv, which would be
# pulled from under a stack that runs.
$(RUNNING): requirements.lock pyproject.toml
	@python3 -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed")'
	cmp -s requirements.lock $@ || \
		{ python3 -m venv --clear $(VENV_OPTIONS) .venv && $(INSTALL) --require-hashes -r requirements.lock; }
	$(INSTALL) --no-build-isolation --editable .
	@$(PY) -m pip check
	@cp requirements.lock $@

$(DEVELOPING): $(RUNNING) requirements-dev.lock
	cmp -s requirements-dev.lock $@ || $(INSTALL) --require-hashes -r requirements-dev.lock
	@$(PY) -m pip check
	@cp requirements-dev.lock $@

chat: $(RUNNING)  ## a booking conversation in this terminal: Temporal, hotels and a worker included
	.venv/bin/nightdesk chat

up: $(RUNNING)  ## the same stack without the chat, until Ctrl-C
	.venv/bin/nightdesk up

test: setup  ## the tests, a few minutes
	$(PY) -m pytest

drill: setup  ## the slow tests: kills, floods, load
	$(PY) -m pytest -m drill

check: setup  ## format, lint, types, and the compose file's schema
	$(PY) -m ruff format --check .
	$(PY) -m ruff check .
	$(PY) -m pyright
	.venv/bin/check-jsonschema --builtin-schema vendor.compose-spec docker-compose.yml

format: setup  ## format and mend what the linter can
	$(PY) -m ruff format .
	$(PY) -m ruff check --fix .

lock: setup  ## both locks from one resolution that keeps the pins that still fit; UPGRADE=--upgrade for new ones
	cat requirements.lock requirements-dev.lock > .venv/all.lock
	$(RESOLVE) $(UPGRADE) --group dev pyproject.toml -o .venv/all.lock
	$(RESOLVE) --upgrade -c .venv/all.lock pyproject.toml -o requirements.lock
	$(RESOLVE) --upgrade -c .venv/all.lock --group dev pyproject.toml -o requirements-dev.lock \
		$$(sed -nE 's/^([a-z0-9._-]+)==.*/--no-emit-package \1/p' requirements.lock)
