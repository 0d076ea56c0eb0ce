#!/bin/sh
# Makes the login that owns the schemas and may make the services' logins, and gives it the password of the Secret. The image
# runs it on an empty data folder; run it again in the pod after a change of SECRET_KEY_BASE.
set -eu
psql --set=ON_ERROR_STOP=1 --set=password="$(cat /run/secrets/postgres/owner-password)" <<'SQL'
select 'create role murmuration' where not exists (select from pg_roles where rolname = 'murmuration') \gexec
alter role murmuration login createrole password :'password';
select 'create database murmuration owner murmuration'
  where not exists (select from pg_database where datname = 'murmuration') \gexec
revoke temporary on database murmuration from public;
\connect murmuration
revoke all on schema public from public;
create extension if not exists pg_stat_statements;
SQL
