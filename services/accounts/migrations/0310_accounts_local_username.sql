-- expand: staff finds local accounts by the beginning of their names, in the index alone
create index concurrently if not exists accounts_local_username
  on accounts (lower(username) text_pattern_ops) include (username, id) where domain is null and removed_at is null;
