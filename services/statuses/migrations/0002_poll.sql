-- expand: polls with their votes, and versions of edited statuses
create table polls (
  id bigint primary key,
  status_id bigint not null unique,
  author_id bigint not null,
  local boolean not null,
  options text[] not null,
  -- one number for each option; of remote polls what their server says, never below the votes given here
  votes integer[] not null,
  -- people who voted; null when a remote server hides it
  voters integer default 0,
  multiple boolean not null,
  hide_totals boolean not null default false,
  expires_at timestamptz,
  -- its end was announced
  ended_at timestamptz,
  fetched_at timestamptz not null default now()
);
create index polls_open on polls (expires_at) where ended_at is null and expires_at is not null;

-- Rows go with their poll.
create table poll_votes (
  id bigint not null,
  poll_id bigint not null,
  account_id bigint not null,
  choice smallint not null,
  uri text,
  primary key (poll_id, account_id, choice)
);
create index poll_votes_account on poll_votes (account_id, poll_id);

-- What a status said, the original first; there are none until the first edit. Rows go with the status.
create table status_edits (
  id bigint primary key,
  status_id bigint not null,
  created_at timestamptz not null,
  text text not null,
  html text not null,
  spoiler_text text not null,
  sensitive boolean not null,
  emojis jsonb not null default '[]',
  -- attachments in order, each with its description of that time
  media jsonb not null default '[]',
  poll_options text[]
);
create index status_edits_status on status_edits (status_id, id);
