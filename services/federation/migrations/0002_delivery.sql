-- expand: what we send: activities, the ledger of where each of them went, and how the hosts are that take them

-- One row per host we ever sent to: its queue, its health, how it wants to be spoken to. Kept, one small row each.
create table lanes (
  id bigint primary key,
  host text not null unique,
  -- the process that works it; one that died is noticed when its time is over
  holder text,
  held_until timestamptz,
  -- grows whenever somebody wants the lane worked, so that a holder never lets go of work it has not seen
  pokes integer not null default 0,
  -- when to look at what waits; null when nothing waits, or a process has the lane
  due_at timestamptz,
  -- failures in a row
  failures integer not null default 0,
  -- nothing is sent before
  paused_until timestamptz,
  -- UTC days with failures since the last success; seven make the host unavailable
  failed_days date[] not null default '{}',
  -- since when nothing is sent but one probe a day
  unavailable_since timestamptz,
  probe_at timestamptz,
  -- the form of signature it understood: 0 cavage, 1 cavage without the query, 2 RFC 9421
  manner smallint not null default 0,
  manner_at timestamptz,
  delivered_at timestamptz,
  failed_at timestamptz,
  -- what was wrong the last time
  trouble text
);
create index lanes_due_at on lanes (due_at) where due_at is not null;
create index lanes_held_until on lanes (held_until) where held_until is not null;

-- Addresses we ever sent to. Kept.
create table inboxes (
  id bigint primary key,
  url text not null unique,
  lane_id bigint not null,
  -- it answered 410; nothing is sent until its host shows up again
  gone_at timestamptz
);
create index inboxes_gone on inboxes (lane_id) where gone_at is not null;

-- What we say, once, as the very bytes that everybody gets. The tick `forget-deliveries` deletes what no longer matters.
create table activities (
  id bigint primary key,
  uri text not null unique,
  kind text not null,
  actor_id bigint not null,
  -- order among the activities of its actor: the id of the event it follows from
  seq bigint not null,
  -- what it is about: a later Update or Delete of the same thing takes the place of an earlier activity
  object_uri text not null,
  -- the one actor it is for, when it is for one
  target_uri text,
  -- an account is gone: gives way to everything else, and is told to blocked hosts too
  farewell boolean not null default false,
  -- null when it was sent to nobody and only says that its object is over
  body text,
  -- inboxes it reached, once its rows of the ledger were folded
  reached bigint[],
  created_at timestamptz not null
);
create index activities_object on activities (object_uri);
create index activities_target on activities (actor_id, created_at) where target_uri is not null;
create index activities_unfolded on activities (id) where reached is null;

-- The ledger: one row per activity and inbox. `forget-deliveries` folds rows of settled activities after 30 days.
create table deliveries (
  activity_id bigint not null,
  inbox_id bigint not null,
  lane_id bigint not null,
  actor_id bigint not null,
  seq bigint not null,
  -- 0 pending, 1 delivered, 2 refused, 3 gave up, 4 replaced by a later activity
  state smallint not null default 0,
  attempts smallint not null default 0,
  -- HTTP status of the last answer; null before one, or when there was none
  status smallint,
  -- when it is tried next, or when it was settled
  at timestamptz not null,
  primary key (activity_id, inbox_id)
);
create index deliveries_waiting on deliveries (lane_id, actor_id, seq) where state = 0;

-- Which inboxes ever got something of an actor: who must hear that the account is gone. Kept until it is.
create table acquaintances (
  actor_id bigint not null,
  inbox_id bigint not null,
  primary key (actor_id, inbox_id)
);

-- Profiles that changed and are told about a moment later; the tick `tell-profiles` deletes the rows.
create table profile_changes (
  account_id bigint primary key,
  seq bigint not null,
  changed_at timestamptz not null,
  -- of a row of changes, the first
  first_at timestamptz not null,
  due_at timestamptz not null
);
create index profile_changes_due_at on profile_changes (due_at);
