#!/bin/sh
# Starts the compiled program that has the name of this command (serve, migrate, ctl, nats-config). Each program of the image
# gets its Node options here. bin/lib/product.mjs says why semi-spaces may grow to 16 MiB.
ulimit -c 0
exec node --max-semi-space-size=16 --import /app/bin/first-process.mjs --import /app/bin/own-source-maps.mjs --import /app/packages/telemetry/dist/preload.js "/app/bin/$(basename "$0").js" "$@"
