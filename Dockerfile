# One recipe for every role: target `app` runs all of them, target `media` adds ffmpeg for the media worker.
#
#   bin/image                # both, as murmuration:local and murmuration-media:local
#   docker build --target app -t murmuration .
#
# It needs BuildKit, which Docker uses by default since release 23. DOCKER_BUILDKIT=1 enables it in earlier releases.
#
# Two secrets of the build are optional: `npmrc` says how npm reaches its registry, `ca` has the certificate authorities to
# trust. Neither is in a layer.
#
# For a release, pin the base by digest: --build-arg NODE_IMAGE=node@sha256:…, attest its provenance, and sign it:
#
#   docker buildx build --target app --provenance=mode=max --push -t REGISTRY/murmuration:VERSION .
#   cosign sign REGISTRY/murmuration@sha256:…
#
# There is no HEALTHCHECK: `migrate` and `ctl` listen on no port, and some engines restart an unhealthy container although it
# only waits for its store. A process answers /livez (restart it if this fails) and /readyz (send requests) on HEALTH_PORT,
# 9090 by default. The chart asks both, and so does /app/bin/container-health.mjs in compose.yaml.
#
# /app/sbom.cdx.json (CycloneDX) lists the contents; `cosign attest --type cyclonedx` takes that file.
ARG NODE_IMAGE=node:24-bookworm-slim

# The files that npm reads. As long as these files are the same, their packages come from the cache of the builder.
FROM ${NODE_IMAGE} AS manifests
WORKDIR /source
COPY . .
RUN mkdir /manifests && cp --parents .npmrc package.json package-lock.json */package.json */*/package.json /manifests

# The compiler and the development tools are in this stage only.
FROM ${NODE_IMAGE} AS build
WORKDIR /build
ENV TURBO_TELEMETRY_DISABLED=1
COPY --from=manifests /manifests .
RUN --mount=type=secret,id=npmrc,target=/root/.npmrc --mount=type=secret,id=ca --mount=type=cache,target=/root/.npm \
    NODE_EXTRA_CA_CERTS="$(ls /run/secrets/ca 2>/dev/null || true)" \
    npm ci --ignore-scripts --no-audit --no-fund
COPY . .
# Types are checked by the tests; without them this takes a tenth of the time.
RUN node_modules/.bin/turbo run build --filter='./services/*' -- --noCheck --declaration false \
    && node_modules/.bin/tsc -p bin/tsconfig.json --noCheck
# Takes what the services need at run time: no tests, no development tools, none of the embedded servers of `npm start`.
RUN node bin/dist/ship.js /app && node bin/dist/sbom.js > /app/sbom.cdx.json

# Both images share Node, one user, and one command for each program.
FROM ${NODE_IMAGE} AS base
RUN groupadd --gid 10001 murmuration \
    && useradd --uid 10001 --gid 10001 --no-create-home --home-dir /app --shell /usr/sbin/nologin murmuration \
    && install -d -o 10001 -g 10001 /var/lib/murmuration/blob /var/lib/murmuration/bus \
    && rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack \
       /usr/local/bin/yarn /usr/local/bin/yarnpkg /opt/yarn-*
COPY --chmod=0755 bin/lib/container-command.sh /usr/local/bin/serve
RUN for command in migrate ctl nats-config; do ln -s serve "/usr/local/bin/$command"; done
WORKDIR /app
ENV NODE_ENV=production
EXPOSE 3000 9090
STOPSIGNAL SIGTERM
LABEL org.opencontainers.image.title="Murmuration" org.opencontainers.image.licenses="AGPL-3.0-or-later"

FROM base AS media
RUN apt-get update \
    && apt-get install --yes --no-install-recommends ffmpeg \
    && rm -rf /var/lib/apt /var/cache/apt /var/log/apt /etc/apt /usr/lib/apt /usr/bin/apt* /usr/bin/dpkg*
COPY --from=build /app /app
USER 10001:10001
CMD ["serve", "media:worker"]

# The last stage is the one that is built when no target is named.
FROM base AS app
RUN rm -rf /var/lib/apt /var/cache/apt /etc/apt /usr/lib/apt /usr/bin/apt* /usr/bin/dpkg*
COPY --from=build /app /app
USER 10001:10001
CMD ["serve", "gateway", "streaming", "accounts", "statuses", "notifications", "federation", "media", "admin"]
