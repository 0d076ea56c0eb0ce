-- expand: collections of accounts, and who is in them

-- Deleted by their keeper, and with the keeper's account.
create table collections (
  id bigint primary key,
  account_id bigint not null references accounts on delete cascade,
  -- null for collections of people here, whose addresses are made from their ids
  uri text unique,
  url text,
  name text not null,
  description text not null default '',
  language text,
  sensitive boolean not null default false,
  discoverable boolean not null default true,
  -- normalised hashtag
  tag text,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index collections_of on collections (account_id, id);

-- Go with the collection, with the account, and with a block between it and the keeper. Revoked and rejected ones stay, so
-- that nobody is put back against their will.
create table collection_items (
  id bigint primary key,
  collection_id bigint not null references collections on delete cascade,
  account_id bigint not null references accounts on delete cascade,
  state text not null check (state in ('pending', 'accepted', 'rejected', 'revoked')),
  uri text unique,
  created_at timestamptz not null,
  unique (collection_id, account_id)
);
create index collection_items_of on collection_items (collection_id, id);
create index collection_items_account on collection_items (account_id, collection_id) where state in ('pending', 'accepted');
