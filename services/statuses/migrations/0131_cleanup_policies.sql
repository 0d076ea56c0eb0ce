-- expand: what people let the server delete of their own once it is old

-- Rows go with the account.
create table cleanup_policies (
  account_id bigint primary key,
  enabled boolean not null,
  age_days integer not null,
  keep_pinned boolean not null,
  keep_direct boolean not null,
  keep_polls boolean not null,
  keep_media boolean not null,
  keep_own_favourites boolean not null,
  keep_own_bookmarks boolean not null,
  -- null when that does not count
  least_favourites integer,
  least_reblogs integer,
  -- everything up to this id was looked at since `began_at`
  seen bigint not null default 0,
  began_at timestamptz not null,
  due_at timestamptz not null
);
create index cleanup_policies_due on cleanup_policies (due_at) where enabled;
