# One image for every process of Nightdesk: `nightdesk worker`, `nightdesk hotels`, `nightdesk database upgrade`, ...
FROM python:3.11.14-slim-bookworm AS build

ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
WORKDIR /app
RUN python -m venv /venv
COPY requirements.lock ./
RUN /venv/bin/pip install --require-hashes -r requirements.lock
COPY pyproject.toml README.md LICENSE settings.py worker.py ./
COPY nightdesk nightdesk
COPY workflows workflows
COPY activities activities
COPY hotels hotels
COPY clients clients
RUN /venv/bin/pip install --no-deps --no-build-isolation .

FROM python:3.11.14-slim-bookworm

RUN useradd --system --uid 10001 --create-home --home-dir /home/nightdesk nightdesk
COPY --from=build /venv /venv
ENV PATH=/venv/bin:$PATH PYTHONUNBUFFERED=1
USER nightdesk
WORKDIR /home/nightdesk
# SIGTERM lets running activities finish for up to 10 s.
STOPSIGNAL SIGTERM
ENTRYPOINT ["nightdesk"]
CMD ["worker"]
