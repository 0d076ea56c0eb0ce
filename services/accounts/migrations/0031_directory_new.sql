-- expand: the directory, the latest people first
create index concurrently if not exists accounts_directory on accounts (id desc)
  where discoverable and silenced_at is null and suspended_at is null and moved_to_uri is null and removed_at is null;
