-- expand: users with a suspended account are subtracted from the number of users
create index concurrently if not exists accounts_suspended_local on accounts (id)
  where suspended_at is not null and domain is null;
