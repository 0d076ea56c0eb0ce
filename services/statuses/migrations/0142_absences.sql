-- expand: remote statuses that their server did not find when it was asked

-- Gone when the status was found again or ended; the tick `forget-old` deletes rows after 30 days.
create table absences (
  status_id bigint primary key,
  -- answers in a row, each at its time
  times smallint not null,
  -- what is answered sooner counts for nothing
  due_at timestamptz not null,
  -- when the tick `ask-absent` asks again
  ask_at timestamptz not null,
  since timestamptz not null
);
create index absences_ask on absences (ask_at);
create index absences_since on absences (since);
