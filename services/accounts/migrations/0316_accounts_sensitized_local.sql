-- expand: staff lists local accounts whose media are marked as sensitive, who are few among all of them
create index concurrently if not exists accounts_sensitized_local on accounts (id)
  where sensitized_at is not null and domain is null;
