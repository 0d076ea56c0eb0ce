-- expand: staff lists limited local accounts, who are few among all limited ones
create index concurrently if not exists accounts_silenced_local on accounts (id) where silenced_at is not null and domain is null;
