-- expand: how things stand that may be changed before anybody was told of them

-- Rows older than 8 days are erased by the tick `forget-old`, as barriers are.
create table stands (
  -- as notifications name the activity
  source text primary key,
  -- members that changed, with the event that said so last as `rev`
  changed jsonb not null,
  at timestamptz not null default clock_timestamp()
);
create index stands_at on stands (at);
