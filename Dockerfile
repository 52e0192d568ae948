# One image for every process of Nightdesk: `nightdesk worker`, `nightdesk hotels`, `nightdesk database upgrade`, ...
FROM python:3.11.14-slim-bookworm AS build

ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
WORKDIR /app
RUN python -m venv /venv
COPY requirements.lock ./
RUN /venv/bin/pip install --no-deps --require-hashes -r requirements.lock
COPY pyproject.toml README.md LICENSE settings.py worker.py ./
COPY nightdesk nightdesk
COPY workflows workflows
COPY activities activities
COPY hotels hotels
COPY clients clients
RUN /venv/bin/pip install --no-deps --no-build-isolation . && /venv/bin/pip check
# What builds and installs came with the lock and the venv, and has no place in what runs.
RUN /venv/bin/pip uninstall --yes hatchling pathspec pluggy tomlkit trove-classifiers setuptools pip

FROM python:3.11.14-slim-bookworm

RUN useradd --system --uid 10001 --create-home --home-dir /home/nightdesk nightdesk
COPY --from=build /venv /venv
ENV PATH=/venv/bin:$PATH PYTHONUNBUFFERED=1
# By number, so that a cluster can see that it is not root.
USER 10001
WORKDIR /home/nightdesk
# SIGTERM lets running activities finish for up to 10 s.
STOPSIGNAL SIGTERM
ENTRYPOINT ["nightdesk"]
CMD ["worker"]
