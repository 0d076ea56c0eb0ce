-- expand: the words of account names, for account search

-- One row for each account: the terms of its display name, its user name and its domain. Every change of a name writes
-- it, and the tick `index-names` writes those of accounts that are older than this table.
create table account_search (
  account_id bigint primary key references accounts on delete cascade,
  words tsvector not null
);
create index account_search_words on account_search using gin (words);

-- Accounts below this id are still to be indexed, the newest first. The tick starts at once, and again an hour later,
-- because processes of the release before write accounts without terms until they have stopped. The rows are deleted
-- when they are done.
create table account_search_backlog (
  id smallint primary key,
  starts_at timestamptz not null,
  below bigint not null
);
insert into account_search_backlog (id, starts_at, below)
select id, at, 9223372036854775807 from (select from accounts limit 1) as old,
  (values (1, now()), (2, now() + interval '1 hour')) as start(id, at);
