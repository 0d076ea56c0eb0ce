#!/bin/sh
# Starts the compiled program that has the name of this command (serve, migrate, ctl, nats-config). Each program of the image
# gets its Node options here.
ulimit -c 0
exec node --import /app/bin/first-process.mjs --import /app/bin/own-source-maps.mjs --import /app/packages/telemetry/dist/preload.js "/app/bin/$(basename "$0").js" "$@"
