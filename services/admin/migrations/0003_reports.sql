-- expand: reports, strikes, and what staff last decided about each account

-- Kept for ever: strikes and the audit log point to them.
create table reports (
  id bigint primary key,
  -- activity id when another server filed it
  uri text unique,
  account_id bigint not null,
  target_account_id bigint not null,
  status_ids bigint[] not null default '{}',
  rule_ids bigint[] not null default '{}',
  category text not null check (category in ('other', 'spam', 'legal', 'violation')),
  comment text not null default '',
  forwarded boolean not null default false,
  assigned_account_id bigint,
  action_taken_at timestamptz,
  action_taken_by_account_id bigint,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index reports_open on reports (id) where action_taken_at is null;
create index reports_open_of_target on reports (target_account_id, id) where action_taken_at is null;
create index reports_of_target on reports (target_account_id, id);
create index reports_of_account on reports (account_id, id);

-- Deleted an hour after they were made, by the tick forget-keys.
create table idempotency_keys (
  account_id bigint not null,
  key text not null,
  report_id bigint not null,
  created_at timestamptz not null,
  primary key (account_id, key)
);
create index idempotency_keys_created_at on idempotency_keys (created_at);

-- Kept for ever: the history of an account with the moderators.
create table strikes (
  id bigint primary key,
  account_id bigint not null,
  target_account_id bigint not null,
  action text not null check (action in ('none', 'disable', 'sensitive', 'silence', 'suspend')),
  text text not null default '',
  report_id bigint,
  status_ids bigint[] not null default '{}',
  created_at timestamptz not null
);
create index strikes_of_target on strikes (target_account_id, id);

-- What staff decided last about one state of one account; accounts is brought there by a job. Overwritten, never deleted.
create table decisions (
  account_id bigint not null,
  state text not null check (state in ('disable', 'sensitive', 'silence', 'suspend')),
  wanted boolean not null,
  stamp text not null,
  primary key (account_id, state)
);
