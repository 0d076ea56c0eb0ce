-- expand: when a file of another server that could not be copied is tried again, and hosts that are left alone for a while

-- Constant defaults are kept beside the tables, so that nothing is rewritten.
alter table attachments add column failures smallint not null default 0, add column retry_at timestamptz;
alter table pictures add column failures smallint not null default 0, add column retry_at timestamptz;

-- Hosts that did not answer lately, or asked for patience. Rows go when the host answers, and with the tick `retry-remote`.
create table silent_hosts (
  host text primary key,
  -- in a row
  failures smallint not null,
  paused_until timestamptz not null
);
create index silent_hosts_until on silent_hosts (paused_until);
