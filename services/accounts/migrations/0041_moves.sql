-- expand: accounts that moved, and how far people here were carried over

-- Goes with either account.
create table moves (
  id bigint primary key,
  account_id bigint not null references accounts on delete cascade,
  target_id bigint not null references accounts on delete cascade,
  -- followers here and elsewhere when it happened
  followers integer not null,
  -- when everybody here was carried over
  done_at timestamptz,
  created_at timestamptz not null
);
create index moves_of on moves (account_id, id);
create index moves_to on moves (target_id);
