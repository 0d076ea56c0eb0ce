-- expand: staff finds local accounts by the beginning of their display names, in the index alone
create index concurrently if not exists accounts_local_display_name
  on accounts (lower(display_name) text_pattern_ops) include (display_name, id) where domain is null and removed_at is null;
