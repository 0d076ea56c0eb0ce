#!/bin/sh
# Makes the login that owns the schemas and may make the services' logins, and gives it the password of the Secret. The image
# runs it on an empty data folder; run it again in the pod after a change of SECRET_KEY_BASE.
set -eu
secrets=${SECRETS:-/run/secrets/postgres}
# Secrets of earlier releases do not name the database.
database=$(cat "$secrets/database" 2>/dev/null || echo murmuration)
psql --set=ON_ERROR_STOP=1 --set=password="$(cat "$secrets/owner-password")" --set=database="$database" <<'SQL'
select 'create role murmuration' where not exists (select from pg_roles where rolname = 'murmuration') \gexec
alter role murmuration login createrole password :'password';
select format('create database %I owner murmuration', :'database')
  where not exists (select from pg_database where datname = :'database') \gexec
revoke temporary on database :"database" from public;
\connect :"database"
revoke all on schema public from public;
create extension if not exists pg_stat_statements;
SQL
