-- expand: staff lists limited accounts
create index concurrently if not exists accounts_silenced on accounts (id) where silenced_at is not null;
