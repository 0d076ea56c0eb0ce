-- expand: what other servers sent, what was undone before it came, which servers are known, whose documents are gone for good

-- One row per activity that was accepted; the tick `forget-activities` deletes rows after a week.
create table inbox_activities (
  id bigint primary key,
  -- SHA-256 of the actor's origin and the activity id; null when the sender gave none
  key bytea,
  activity_id text,
  type text not null,
  actor text not null,
  -- owner of the inbox, when the activity itself addresses nobody
  owner_id bigint,
  -- as it was signed; null once it was worked on
  body text,
  -- null while it waits, then done, ignored or refused
  outcome text,
  reason text,
  received_at timestamptz not null default now(),
  closed_at timestamptz
);
create unique index inbox_activities_key on inbox_activities (key) where key is not null;
create index inbox_activities_received_at on inbox_activities (received_at);
create index inbox_activities_waiting on inbox_activities (id) where outcome is null;

-- Deeds that were taken back before they arrived; deleted by `forget-activities` after a day.
create table undone_activities (
  key bytea not null,
  actor text not null,
  at timestamptz not null default now(),
  primary key (key, actor)
);
create index undone_activities_at on undone_activities (at);

-- Servers we have had to do with; kept, one small row each.
create table peers (
  host text primary key,
  first_seen_at timestamptz not null default now(),
  -- last request with a good signature: a sign of life for whoever delivers there
  last_inbound_at timestamptz
);

-- People of this server who are gone for good: their addresses answer 410 from now on. Kept.
create table gone_actors (
  account_id bigint primary key,
  uri text not null unique,
  at timestamptz not null default now()
);
