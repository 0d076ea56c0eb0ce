#!/bin/bash
# Does what the entry point of the official PostgreSQL image does, as far as compose.yaml uses it.
set -euo pipefail
export PGDATA=/var/lib/postgresql/data
PATH=$(echo /usr/lib/postgresql/*/bin):$PATH
if [[ $(id -u) == 0 ]]; then
  chown postgres:postgres /var/lib/postgresql
  exec setpriv --reuid postgres --regid postgres --init-groups "$0" "$@"
fi
if [[ ! -s $PGDATA/PG_VERSION ]]; then
  initdb -D "$PGDATA" --username="$POSTGRES_USER" --pwfile=<(printf '%s' "$POSTGRES_PASSWORD") --auth-host=scram-sha-256
  echo 'host all all all scram-sha-256' >>"$PGDATA/pg_hba.conf"
  echo "listen_addresses = '*'" >>"$PGDATA/postgresql.conf"
  # Only the socket answers until the database is there.
  pg_ctl -D "$PGDATA" -o '-c listen_addresses=' -w start
  createdb --username="$POSTGRES_USER" "$POSTGRES_USER"
  pg_ctl -D "$PGDATA" -w stop
fi
exec "$@"
