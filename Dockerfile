# syntax=docker/dockerfile:1
# One recipe for every role: target `app` runs all of them, target `media` adds ffmpeg for the media worker.
#
#   docker build --target app -t murmuration .
#   docker build --target media -t murmuration-media .
#
# For a release, pin the base by digest: --build-arg NODE_IMAGE=node@sha256:…, have it say where it comes from, and sign it:
#
#   docker buildx build --target app --provenance=mode=max --push -t REGISTRY/murmuration:VERSION .
#   cosign sign REGISTRY/murmuration@sha256:…
#
# What is in it stands in /app/sbom.cdx.json (CycloneDX); `cosign attest --type cyclonedx` takes that file.
ARG NODE_IMAGE=node:24-bookworm-slim

# Everything is compiled here, with the tools that the image itself does not have.
FROM ${NODE_IMAGE} AS build
WORKDIR /build
ENV TURBO_TELEMETRY_DISABLED=1
COPY . .
RUN --mount=type=cache,target=/root/.npm npm ci --ignore-scripts --no-audit --no-fund
RUN npm run build
# Only what the services need at run time: no tests, no development tools, none of the embedded servers of `npm start`.
RUN --mount=type=cache,target=/root/.npm rm -rf node_modules \
    && npm ci --ignore-scripts --no-audit --no-fund --omit=dev \
       $(for service in services/*; do printf -- '--workspace %s ' "$service"; done)
RUN mkdir -p /app/bin \
    && cp -r package.json LICENSE node_modules packages services /app/ \
    && cp -r bin/dist/. bin/lib/own-source-maps.mjs /app/bin/ \
    && node bin/dist/sbom.js > /app/sbom.cdx.json \
    && rm -rf /app/packages/testkit /app/node_modules/@murmuration/testkit /app/node_modules/.bin \
    && find /app/packages /app/services -name '*.ts' -not -path '*/node_modules/*' -delete \
    && find /app/packages /app/services -name test -type d -not -path '*/node_modules/*' -prune -exec rm -rf {} +

# What both images share: Node, one user, and one command for each thing to run.
FROM ${NODE_IMAGE} AS base
RUN groupadd --gid 10001 murmuration \
    && useradd --uid 10001 --gid 10001 --no-create-home --home-dir /app --shell /usr/sbin/nologin murmuration \
    && install -d -o 10001 -g 10001 /var/lib/murmuration/blob /var/lib/murmuration/bus \
    && rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack \
       /usr/local/bin/yarn /usr/local/bin/yarnpkg /opt/yarn-*
COPY --chmod=0755 <<'SH' /usr/local/bin/serve
#!/bin/sh
# Starts the compiled command that carries this name; the flags of every process stand here and nowhere else.
ulimit -c 0
exec node --import /app/bin/own-source-maps.mjs --import /app/packages/telemetry/dist/preload.js "/app/bin/$(basename "$0").js" "$@"
SH
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
CMD ["serve", "media", "worker"]

# The last stage is the one that is built when no target is named.
FROM base AS app
RUN rm -rf /var/lib/apt /var/cache/apt /etc/apt /usr/lib/apt /usr/bin/apt* /usr/bin/dpkg*
COPY --from=build /app /app
USER 10001:10001
CMD ["serve", "gateway", "streaming", "accounts", "statuses", "notifications", "federation", "media", "admin"]
