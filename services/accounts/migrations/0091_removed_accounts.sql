-- expand: finding people who left, whose keys go a week later
create index concurrently if not exists accounts_removed_at on accounts (removed_at) where removed_at is not null;
