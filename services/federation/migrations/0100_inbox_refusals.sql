-- expand: what the inboxes did not take, counted by name and day

-- A few rows a day; the tick `forget-activities` deletes them after a month.
create table inbox_refusals (
  day date not null,
  -- `gate` before anything was stored, `worker` afterwards
  stage text not null,
  reason text not null,
  count bigint not null,
  -- of the last one: the host it spoke for, as far as that was known
  last_host text,
  last_at timestamptz not null,
  primary key (day, stage, reason)
);
