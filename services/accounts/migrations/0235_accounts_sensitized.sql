-- expand: staff lists accounts whose media are marked as sensitive
create index concurrently if not exists accounts_sensitized on accounts (id) where sensitized_at is not null;
