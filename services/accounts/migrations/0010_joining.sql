-- expand: what people say when they join, invitations, one-time links, and letters that wait to be sent

-- Another address that waits for its link.
alter table users add column unconfirmed_email text;
-- Set when a person of this server left; the row stays, so that the name is never given twice.
alter table accounts add column removed_at timestamptz;

-- How a login began; goes with it.
create table sign_ups (
  user_id bigint primary key references users on delete cascade,
  account_id bigint not null,
  ip inet,
  -- why somebody wants to join; forgotten when they are let in
  reason text,
  time_zone text,
  -- the application that signed the person up; null for browsers and operators
  application_id bigint,
  invite_id bigint,
  -- when the last confirmation mail was written; null once confirmed. Who never confirms goes seven days after it.
  confirmation_sent_at timestamptz,
  -- staff has to decide
  waiting boolean not null
);
create index sign_ups_unconfirmed on sign_ups (confirmation_sent_at) where confirmation_sent_at is not null;
create index sign_ups_waiting on sign_ups (account_id) where waiting;

-- Made by people whose role may; goes with its maker. Used and ended ones stay, so that it is known who invited whom.
create table invites (
  id bigint primary key,
  account_id bigint not null references accounts on delete cascade,
  code text not null unique,
  uses integer not null default 0,
  max_uses integer check (max_uses > 0),
  expires_at timestamptz,
  autofollow boolean not null default false,
  comment text not null default '',
  created_at timestamptz not null
);
create index invites_of on invites (account_id, id);

-- One-time links in letters, by digest. Taken by deleting; the others go when they ran out.
create table mail_links (
  hash bytea primary key,
  user_id bigint not null references users on delete cascade,
  purpose text not null check (purpose in ('confirm', 'reset')),
  -- the address that a confirmation proves
  email text,
  expires_at timestamptz not null
);
create index mail_links_user on mail_links (user_id, purpose);
create index mail_links_expires_at on mail_links (expires_at);

-- Mails about logins, asked for by notifications when it sends them; go after a week.
create table letters (
  id bigint primary key,
  kind text not null,
  -- outlives the login
  user_id bigint not null,
  address text not null,
  locale text not null,
  username text not null,
  -- with a key outside the database this gives the secret of the link
  nonce bytea,
  facts jsonb not null default '{}',
  created_at timestamptz not null
);
create index letters_user on letters (user_id, kind, created_at);
create index letters_created_at on letters (created_at);

-- People of this server who left, until everything that hung on them is erased.
create table removals (
  account_id bigint primary key references accounts on delete cascade,
  removed_at timestamptz not null
);
create index removals_removed_at on removals (removed_at);
