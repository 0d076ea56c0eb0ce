-- expand: the directory of people here, who are few among all that are known
create index concurrently if not exists accounts_directory_local on accounts (id desc)
  where domain is null and discoverable and silenced_at is null and suspended_at is null and moved_to_uri is null
    and removed_at is null;
