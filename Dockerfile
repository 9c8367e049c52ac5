# docker build -t satdoku . && docker run --rm -v "$PWD:/work" satdoku check FILE
FROM python:3.11-slim AS build
WORKDIR /source
COPY . .
RUN python -m venv /opt/satdoku \
    && /opt/satdoku/bin/pip install --no-cache-dir -c constraints.txt '.[web]' \
    && /opt/satdoku/bin/pip uninstall --yes pip setuptools \
    && find /opt/satdoku/lib -type d -name tests -prune -exec rm -r {} +

FROM python:3.11-slim
COPY --from=build /opt/satdoku /opt/satdoku
ENV PATH=/opt/satdoku/bin:$PATH
RUN useradd --create-home --uid 1000 satdoku
USER 1000
WORKDIR /work
ENTRYPOINT ["satdoku"]
CMD ["--help"]
