-- expand: how people stand to each other; every row goes with either account

create table follows (
  id bigint primary key,
  account_id bigint not null references accounts on delete cascade,
  target_id bigint not null references accounts on delete cascade,
  account_local boolean not null,
  -- where a remote follower is delivered to: the shared inbox when there is one
  inbox text,
  reblogs boolean not null default true,
  notify boolean not null default false,
  languages text[],
  uri text,
  created_at timestamptz not null,
  unique (account_id, target_id)
);
create index follows_of on follows (account_id, id);
create index follows_to on follows (target_id, id);
create index follows_audience on follows (target_id, account_id) where account_local;
create index follows_inboxes on follows (target_id, inbox) where inbox is not null;

create table follow_requests (
  id bigint primary key,
  account_id bigint not null references accounts on delete cascade,
  target_id bigint not null references accounts on delete cascade,
  account_local boolean not null,
  inbox text,
  reblogs boolean not null default true,
  notify boolean not null default false,
  languages text[],
  uri text,
  created_at timestamptz not null,
  unique (account_id, target_id)
);
create index follow_requests_to on follow_requests (target_id, id);

create table blocks (
  id bigint primary key,
  account_id bigint not null references accounts on delete cascade,
  target_id bigint not null references accounts on delete cascade,
  uri text,
  created_at timestamptz not null,
  unique (account_id, target_id)
);
create index blocks_of on blocks (account_id, id);
create index blocks_to on blocks (target_id);

create table mutes (
  id bigint primary key,
  account_id bigint not null references accounts on delete cascade,
  target_id bigint not null references accounts on delete cascade,
  notifications boolean not null,
  -- null for ever; the tick takes what ran out away
  expires_at timestamptz,
  created_at timestamptz not null,
  unique (account_id, target_id)
);
create index mutes_of on mutes (account_id, id);
create index mutes_to on mutes (target_id);
create index mutes_expires_at on mutes (expires_at) where expires_at is not null;

create table domain_blocks (
  id bigint primary key,
  account_id bigint not null references accounts on delete cascade,
  domain text not null,
  created_at timestamptz not null,
  unique (account_id, domain)
);
create index domain_blocks_of on domain_blocks (account_id, id);

create table notes (
  account_id bigint not null references accounts on delete cascade,
  target_id bigint not null references accounts on delete cascade,
  comment text not null,
  primary key (account_id, target_id)
);
create index notes_to on notes (target_id);

-- Ends with the follow.
create table endorsements (
  account_id bigint not null references accounts on delete cascade,
  target_id bigint not null references accounts on delete cascade,
  created_at timestamptz not null,
  primary key (account_id, target_id)
);
create index endorsements_to on endorsements (target_id);

create table lists (
  id bigint primary key,
  account_id bigint not null references accounts on delete cascade,
  title text not null,
  replies_policy text not null default 'list' check (replies_policy in ('list', 'followed', 'none')),
  exclusive boolean not null default false,
  created_at timestamptz not null
);
create index lists_of on lists (account_id, id);

-- Goes with the list, and when its owner no longer follows the member.
create table list_members (
  list_id bigint not null references lists on delete cascade,
  member_id bigint not null references accounts on delete cascade,
  owner_id bigint not null,
  primary key (list_id, member_id)
);
create index list_members_member on list_members (member_id, owner_id);
create index list_members_owner on list_members (owner_id, member_id);
