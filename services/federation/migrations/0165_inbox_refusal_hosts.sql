-- expand: refusals of the inboxes are counted by host

-- At most a few thousand rows a day, because anyone can name hosts; `forget-activities` deletes them after a month.
create table inbox_refusal_hosts (
  host text not null,
  day date not null,
  stage text not null,
  reason text not null,
  count bigint not null,
  last_at timestamptz not null,
  primary key (host, day, stage, reason)
);
create index inbox_refusal_hosts_day on inbox_refusal_hosts (day);
