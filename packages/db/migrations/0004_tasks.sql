-- expand: tasks of staff and operators, with their progress

-- Rows go 90 days after their end, with the tick `purge`.
create table tasks (
  id bigint primary key,
  kind text not null,
  input jsonb not null,
  dry_run boolean not null,
  state text not null default 'running' check (state in ('running', 'done', 'failed', 'stopped')),
  -- Where the next chunk begins. Only the worker that finds this value advances the task.
  position text not null default '',
  seen bigint not null default 0,
  changed bigint not null default 0,
  bytes bigint not null default 0,
  total bigint,
  -- Counts by name.
  notes jsonb not null default '{}',
  error text,
  -- Account id of staff; null for operators.
  started_by bigint,
  -- The next chunk may run from then on. While a worker runs: when another one takes over.
  next_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  finished_at timestamptz
);
-- One task of a kind at a time.
create unique index tasks_running on tasks (kind) where state = 'running';
create index tasks_finished on tasks (finished_at) where finished_at is not null;
