-- expand: who has an inbox that is not there any more is found by it; few servers have none for all
create index concurrently if not exists accounts_inbox on accounts (inbox_url)
  where inbox_url is not null and shared_inbox_url is null;
