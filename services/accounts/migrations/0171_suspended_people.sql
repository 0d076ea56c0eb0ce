-- expand: people here who are suspended for long are found by when it began
create index concurrently if not exists accounts_suspended_here on accounts (suspended_at)
  where domain is null and suspended_at is not null and removed_at is null;
