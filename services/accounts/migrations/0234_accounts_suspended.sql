-- expand: staff lists suspended accounts
create index concurrently if not exists accounts_suspended on accounts (id) where suspended_at is not null;
