-- expand: follows that a decision cut, so that people learn of it and can take the names along

-- One for each person and decision. Goes with the account.
create table severances (
  id bigint primary key,
  account_id bigint not null references accounts on delete cascade,
  kind text not null check (kind in ('domain_block', 'user_domain_block', 'account_suspension')),
  -- the domain or handle that it was about
  target_name text not null,
  -- names the decision: pages of one belong together
  cause text not null,
  -- the names are gone
  purged boolean not null default false,
  following_count integer not null,
  followers_count integer not null,
  created_at timestamptz not null,
  unique (account_id, cause)
);
create index severances_of on severances (account_id, id);

-- Goes with the severance. The other account may be gone by now, so that its name stands here.
create table severed_follows (
  severance_id bigint not null references severances on delete cascade,
  -- true: the person followed them; false: they followed the person
  following boolean not null,
  address text not null,
  reblogs boolean not null,
  notify boolean not null,
  languages text[],
  primary key (severance_id, following, address)
);
