-- expand: the words of all statuses are indexed again, with the usual spelling of letters and digits of further scripts

-- A row is the position of one index of all statuses: statuses below this id are still to do. It starts an hour later, because
-- processes of the release before index in the earlier form until they have stopped. Those processes move and delete every row
-- of `search_terms_backlog`, so that table is no longer read. An index that is not done there is contained in this one.
create table status_search_backlog (
  id smallint primary key,
  starts_at timestamptz not null,
  below bigint not null
);
insert into status_search_backlog (id, starts_at, below)
select 1, now() + interval '1 hour', 9223372036854775807 from statuses limit 1;
delete from search_terms_backlog;
