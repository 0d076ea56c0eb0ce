-- expand: what every service has: events on their way out, events already handled, jobs that failed for good, answers to repeated commands
create table outbox (
  id bigint primary key,
  subject text not null,
  data text not null,
  trace text,
  created_at timestamptz not null default now(),
  sent_at timestamptz,
  -- the reconciler saw that every reaction had it
  reconciled_at timestamptz,
  replays smallint not null default 0
);
create index outbox_unsent on outbox (id) where sent_at is null;
create index outbox_created_at on outbox (created_at);
create index outbox_unreconciled on outbox (id) where reconciled_at is null;

create table consumed (
  consumer text not null,
  event_id bigint not null,
  at timestamptz not null default now(),
  primary key (consumer, event_id)
);
create index consumed_at on consumed (at);

create table dead_letters (
  id bigint primary key,
  consumer text not null,
  subject text not null,
  message_id text not null,
  data text not null,
  reason text not null,
  tries integer not null,
  at timestamptz not null default now(),
  unique (consumer, message_id)
);

create table commands (
  key text primary key,
  answer text not null,
  at timestamptz not null default now()
);
create index commands_at on commands (at);

create table leases (
  name text primary key,
  holder text not null,
  fence bigint not null default 1,
  until timestamptz not null
);
