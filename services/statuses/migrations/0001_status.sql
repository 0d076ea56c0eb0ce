-- expand: statuses by month, what people do with them, and the few flags of authors that a `where` needs
create table statuses (
  id bigint not null primary key,
  author_id bigint not null,
  local boolean not null,
  -- 0 public, 1 unlisted, 2 private, 3 direct
  visibility smallint not null,
  uri text not null,
  url text,
  reblog_of_id bigint,
  reblog_of_author_id bigint,
  in_reply_to_id bigint,
  in_reply_to_author_id bigint,
  -- what the API shows: of a self-reply, the account the thread answers
  in_reply_to_account_id bigint,
  -- a remote parent that is not here yet
  in_reply_to_uri text,
  conversation_id bigint not null,
  -- as typed; empty for remote ones
  text text not null default '',
  html text not null default '',
  spoiler_text text not null default '',
  sensitive boolean not null default false,
  language text,
  application jsonb,
  media_ids bigint[] not null default '{}',
  tags text[] not null default '{}',
  emojis jsonb not null default '[]',
  poll_id bigint,
  -- who may quote: 0 nobody, 1 followers, 2 everybody
  quote_policy smallint not null default 0,
  -- public, no reblog, no reply to somebody else: what public timelines hold
  listed boolean not null default false,
  has_media boolean not null default false,
  rev integer not null default 1,
  created_at timestamptz not null,
  edited_at timestamptz,
  -- kept for reports, then erased by the tick `erase-deleted`
  deleted_at timestamptz
) partition by range (id);

create index statuses_author on statuses (author_id, id desc) where deleted_at is null;
create index statuses_author_media on statuses (author_id, id desc) where deleted_at is null and has_media;
create index statuses_listed on statuses (id desc) where deleted_at is null and listed;
create index statuses_listed_local on statuses (id desc) where deleted_at is null and listed and local;
create index statuses_local on statuses (id) where deleted_at is null and local;
create index statuses_deleted on statuses (deleted_at) where deleted_at is not null;

-- The first id of a moment: milliseconds in the upper bits.
create function id_floor(at timestamptz) returns bigint language sql immutable
  return (floor(extract(epoch from at) * 1000)::bigint) << 16;

-- Makes the partition of a month. The service may create no tables itself, so this runs with the rights of the owner.
-- A table is filled in beside the parent and attached, because attaching lets readers and writers go on.
create function ensure_month(month date) returns boolean language plpgsql security definer set search_path from current as $$
declare
  first timestamptz := date_trunc('month', month::timestamp) at time zone 'UTC';
  next timestamptz := (date_trunc('month', month::timestamp) + interval '1 month') at time zone 'UTC';
  part text := 'statuses_' || to_char(month, 'YYYYMM');
begin
  if to_regclass(part) is not null then return false; end if;
  perform pg_advisory_xact_lock(hashtext('statuses months'));
  if to_regclass(part) is not null then return false; end if;
  execute format('create table %I (like statuses including defaults including indexes including storage)', part);
  execute format('alter table statuses attach partition %I for values from (%s) to (%s)', part, id_floor(first), id_floor(next));
  return true;
end $$;
revoke all on function ensure_month(date) from public;

-- Everything before the month in which this server was made is one partition.
do $$
begin
  execute format('create table statuses_before partition of statuses for values from (minvalue) to (%s)',
    id_floor(date_trunc('month', now() at time zone 'UTC') at time zone 'UTC'));
  perform ensure_month(((now() at time zone 'UTC')::date + make_interval(months => ahead))::date) from generate_series(0, 3) as ahead;
end $$;

-- One uri, one status, across all months. Rows go with their status.
create table post_uris (
  uri text primary key,
  status_id bigint not null
);
create index post_uris_status on post_uris (status_id);
-- Page addresses of remote statuses, for looking up what people paste.
create table post_urls (
  url text primary key,
  status_id bigint not null
);
create index post_urls_status on post_urls (status_id);

-- What was deleted, or undone, before it came: a late Create or Like with this uri by this author does nothing. Erased after 30 days by the tick `forget-old`.
create table tombstones (
  uri text not null,
  author_id bigint not null,
  at timestamptz not null default now(),
  primary key (uri, author_id)
);
create index tombstones_at on tombstones (at);

-- Threads; rows go with either end.
create table replies (
  parent_id bigint not null,
  child_id bigint not null,
  primary key (parent_id, child_id)
);
create index replies_child on replies (child_id);
-- Replies whose remote parent is not here yet; gone when it comes, or with the reply.
create table awaited_parents (
  uri text not null,
  child_id bigint not null,
  primary key (uri, child_id)
);
create index awaited_parents_child on awaited_parents (child_id);
-- Threads that another server named. Erased with the last status of it.
create table conversation_uris (
  uri text primary key,
  conversation_id bigint not null unique
);

create table mentions (
  status_id bigint not null,
  account_id bigint not null,
  -- has access without being shown
  silent boolean not null default false,
  place smallint not null default 0,
  primary key (status_id, account_id)
);
create index mentions_account on mentions (account_id, status_id desc);

create table tags (
  id bigint primary key,
  name text not null unique,
  display text not null,
  created_at timestamptz not null default now()
);
create table status_tags (
  tag_id bigint not null,
  status_id bigint not null,
  primary key (tag_id, status_id)
);
create index status_tags_status on status_tags (status_id);

-- Fast counters: rows appear with the first interaction and go with the status.
create table status_stats (
  status_id bigint primary key,
  replies integer not null default 0,
  reblogs integer not null default 0,
  favourites integer not null default 0,
  quotes integer not null default 0
) with (fillfactor = 70);

create table favourites (
  id bigint not null,
  account_id bigint not null,
  status_id bigint not null,
  uri text,
  created_at timestamptz not null default now(),
  primary key (account_id, status_id)
);
create unique index favourites_account on favourites (account_id, id desc);
create index favourites_status on favourites (status_id, id desc);
create unique index favourites_uri on favourites (uri) where uri is not null;

create table bookmarks (
  id bigint not null,
  account_id bigint not null,
  status_id bigint not null,
  primary key (account_id, status_id)
);
create unique index bookmarks_account on bookmarks (account_id, id desc);
create index bookmarks_status on bookmarks (status_id);

-- One boost of a status by an account, across all months; the boost itself is a status.
create table reblogs (
  account_id bigint not null,
  status_id bigint not null,
  reblog_id bigint not null,
  -- public or unlisted: named in lists of boosters
  open boolean not null,
  primary key (account_id, status_id)
);
create index reblogs_status on reblogs (status_id, reblog_id desc);
create index reblogs_reblog on reblogs (reblog_id);

create table pins (
  id bigint not null,
  account_id bigint not null,
  status_id bigint not null,
  primary key (account_id, status_id)
);
create index pins_status on pins (status_id);

create table conversation_mutes (
  account_id bigint not null,
  conversation_id bigint not null,
  primary key (account_id, conversation_id)
);

-- What one person's Idempotency-Key stands for; erased after an hour by the tick `forget-old`.
create table idempotency_keys (
  account_id bigint not null,
  key text not null,
  status_id bigint not null,
  done boolean not null,
  at timestamptz not null default now(),
  primary key (account_id, key)
);
create index idempotency_keys_at on idempotency_keys (at);

-- The few facts of authors that stand in a `where`, fed by events of accounts; `rev` is the id of the newest one seen.
create table author_flags (
  account_id bigint primary key,
  local boolean not null,
  domain text,
  silenced boolean not null,
  suspended boolean not null,
  sensitized boolean not null,
  discoverable boolean not null,
  indexable boolean not null,
  -- of local people: whether others see which app they write with
  shows_application boolean not null default true,
  rev bigint not null default 0
);
-- The few whom public timelines leave out.
create index author_flags_hidden on author_flags (account_id) where silenced or suspended;
