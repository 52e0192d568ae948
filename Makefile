PY := .venv/bin/python
STAMP := .venv/.installed

.DEFAULT_GOAL := help
.PHONY: help setup chat up test drill check format lock

help:  ## this list
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 10

setup: $(STAMP)  ## .venv from the lock file

$(STAMP): requirements.lock pyproject.toml
	@python3 -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed")'
	python3 -m venv .venv
	$(PY) -m pip install -qq --disable-pip-version-check --require-hashes -r requirements.lock
	$(PY) -m pip install -qq --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $(STAMP)

chat: setup  ## a booking conversation in this terminal: Temporal, hotels and a worker included
	.venv/bin/nightdesk chat

up: setup  ## the same stack without the chat, until Ctrl-C
	.venv/bin/nightdesk up

test: setup  ## the tests, a few minutes
	$(PY) -m pytest

drill: setup  ## the slow tests: kills, floods, load
	$(PY) -m pytest -m drill

check: setup  ## format, lint and types
	$(PY) -m ruff format --check .
	$(PY) -m ruff check .
	$(PY) -m pyright

format: setup  ## format and mend what the linter can
	$(PY) -m ruff format .
	$(PY) -m ruff check --fix .

lock: setup  ## resolve the dependencies anew (needs uv)
	uv pip compile --quiet --universal --generate-hashes --no-annotate --no-header --group dev pyproject.toml -o requirements.lock
