# demotic serve in a container: docs/server.md, "In a container".
FROM python:3.12-slim-bookworm AS build
RUN apt-get update && apt-get install -y --no-install-recommends g++ && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY . .
RUN python -m venv /opt/demotic && /opt/demotic/bin/pip install --no-cache-dir '.[serve,text,zh]'

FROM python:3.12-slim-bookworm
COPY --from=build /opt/demotic /opt/demotic
RUN useradd --uid 10001 --home-dir /tmp --no-create-home --shell /usr/sbin/nologin demotic
USER 10001
ENV PATH=/opt/demotic/bin:$PATH PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1
VOLUME /models
EXPOSE 5000
STOPSIGNAL SIGTERM
HEALTHCHECK CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:5000/health', timeout=3)"]
ENTRYPOINT ["demotic", "serve", "--host", "0.0.0.0", "--without-keys"]
