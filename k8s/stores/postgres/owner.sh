#!/bin/sh
# Makes the login that owns the schemas and may make the services' logins; runs once, on an empty data folder.
set -eu
psql --set=ON_ERROR_STOP=1 --set=password="$(cat /run/secrets/postgres/owner-password)" <<'SQL'
create role murmuration login createrole password :'password';
create database murmuration owner murmuration;
revoke temporary on database murmuration from public;
\connect murmuration
revoke all on schema public from public;
create extension if not exists pg_stat_statements;
SQL
