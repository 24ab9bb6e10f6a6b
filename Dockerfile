# docker build -t sycllint . && docker run --rm -v "$PWD:/src" sycllint check .
FROM python:3.13-slim AS build
COPY . /sycllint
# Where findings link to, as --build-arg SYCLLINT_REPOSITORY=https://code.example/team/sycllint; see hatch_build.py.
ARG SYCLLINT_REPOSITORY=""
ARG SYCLLINT_DOCUMENTATION=""
ARG SYCLLINT_REF=""
RUN pip wheel --no-cache-dir --wheel-dir /wheels /sycllint

FROM python:3.13-slim
# git tells what changed (--diff-base, --staged) in a repository that another user owns outside the container.
RUN apt-get update \
    && apt-get install --yes --no-install-recommends git \
    && rm -rf /var/lib/apt/lists/* \
    && git config --system --add safe.directory '*' \
    && install --directory --owner=nobody --group=nogroup /src
COPY --from=build /wheels /wheels
RUN pip install --no-cache-dir --no-index --find-links /wheels sycllint && rm -rf /wheels
COPY docker/entrypoint.sh /usr/local/bin/sycllint-entrypoint
WORKDIR /src
ENTRYPOINT ["sycllint-entrypoint"]
CMD ["check", "."]
