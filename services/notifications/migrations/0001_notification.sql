-- expand: notifications and what decides about them, markers, push subscriptions

-- Plain numbers, not time-ordered ids: clients get these two as JSON numbers in push messages and groups, and most of
-- them read a JSON number as a double, which is exact only below 2^53.
create sequence notification_ids;
create sequence push_subscription_ids;

-- Rows go with the activity, the status, either account, a block, or when the recipient dismisses them.
create table notifications (
  id bigint primary key default nextval('notification_ids'),
  recipient_id bigint not null,
  type text not null,
  -- who caused it
  from_id bigint not null,
  -- null for people of this server
  from_domain text,
  -- what it shows: of a reblog, the status that was boosted
  status_id bigint,
  -- the activity: status:<id>, favourite:<id>, follow:<id>, follow-request:<id>, account:<id>, report:<id>, strike:<id>
  source text not null,
  -- null stands alone
  group_key text,
  filtered boolean not null default false,
  -- staff spoke: blocks do not hide it
  staff boolean not null default false,
  -- facts of types that show more than an account and a status
  detail jsonb,
  created_at timestamptz not null
);
create unique index notifications_once on notifications (recipient_id, type, source);
create index notifications_shown on notifications (recipient_id, id desc) where not filtered;
create index notifications_every on notifications (recipient_id, id desc);
create index notifications_of_sender on notifications (recipient_id, from_id, id desc);
create index notifications_from on notifications (from_id);
create index notifications_source on notifications (source);
create index notifications_status on notifications (status_id) where status_id is not null;
create index notifications_group on notifications (recipient_id, group_key, id desc) where group_key is not null;
create index notifications_held on notifications (recipient_id, from_id) where filtered;

-- The hour that names the newest group of a kind; rows older than a day are erased by the tick `forget-old`.
create table group_hours (
  recipient_id bigint not null,
  prefix text not null,
  hour integer not null,
  primary key (recipient_id, prefix)
);
create index group_hours_hour on group_hours (hour);

-- What must not be told any more although news of it may still be on the way: undone activities, fresh blocks, dead
-- tokens. Erased after 8 days by the tick `forget-old`, later than any event can be repeated.
create table barriers (
  key text primary key,
  at timestamptz not null default clock_timestamp()
);
create index barriers_at on barriers (at);

-- Senders whose notifications are hidden while they are suspended, fed by events; `rev` is the id of the newest one seen.
-- Rows go with the account.
create table sender_flags (
  account_id bigint primary key,
  suspended boolean not null,
  rev bigint not null
);

-- What each person lets through; no row is the usual policy. Goes with the account.
create table policies (
  recipient_id bigint primary key,
  for_not_following text not null default 'accept' check (for_not_following in ('accept', 'filter', 'drop')),
  for_not_followers text not null default 'accept' check (for_not_followers in ('accept', 'filter', 'drop')),
  for_new_accounts text not null default 'accept' check (for_new_accounts in ('accept', 'filter', 'drop')),
  for_private_mentions text not null default 'filter' check (for_private_mentions in ('accept', 'filter', 'drop')),
  for_limited_accounts text not null default 'filter' check (for_limited_accounts in ('accept', 'filter', 'drop')),
  for_bots text not null default 'accept' check (for_bots in ('accept', 'filter', 'drop'))
);

-- Senders the policy does not hold for. Rows go with either account, and when the recipient blocks the sender.
create table permissions (
  recipient_id bigint not null,
  from_id bigint not null,
  from_domain text,
  primary key (recipient_id, from_id)
);
create index permissions_from on permissions (from_id);

-- Senders whose filtered notifications wait for a decision. Rows go with the decision or with either account.
create table requests (
  id bigint primary key,
  recipient_id bigint not null,
  from_id bigint not null,
  from_domain text,
  last_status_id bigint,
  notifications_count integer not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (recipient_id, from_id)
);
create index requests_of on requests (recipient_id, id desc);
create index requests_from on requests (from_id);

-- Accepted requests whose notifications are still being let into the list; a row goes when its last one is in.
create table merges (
  recipient_id bigint not null,
  from_id bigint not null,
  primary key (recipient_id, from_id)
);

-- How far somebody has read. Goes with the account.
create table markers (
  account_id bigint not null,
  timeline text not null check (timeline in ('home', 'notifications')),
  last_read_id bigint not null,
  version integer not null default 1,
  updated_at timestamptz not null,
  primary key (account_id, timeline)
);

-- One for each token. Rows go with the token, when the push service no longer knows them, or after repeated failures.
create table push_subscriptions (
  id bigint primary key default nextval('push_subscription_ids'),
  token_id bigint not null unique,
  account_id bigint not null,
  endpoint text not null,
  -- base64url: the client's P-256 point and its 16 secret bytes
  p256dh text not null,
  auth text not null,
  standard boolean not null,
  alerts jsonb not null,
  policy text not null check (policy in ('all', 'followed', 'follower', 'none')),
  locale text not null,
  -- the bearer token, sealed with a key outside the database: push messages name it
  token_sealed text not null,
  -- messages in a row that could not be delivered
  failures smallint not null default 0,
  created_at timestamptz not null
);
create index push_subscriptions_account on push_subscriptions (account_id);
