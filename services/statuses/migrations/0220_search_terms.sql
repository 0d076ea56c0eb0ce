-- expand: the words of all statuses are indexed again in their new form

-- Texts without spaces are indexed in pairs of characters, and folded letters in their plain spelling. The tick
-- `index-older` indexes every status again, newest first: statuses below this id are still to do. It starts an hour
-- later, because processes of the release before index in the old form until they have stopped. The row is deleted at
-- the end. The table `search_backlog` is no longer read.
create table search_terms_backlog (
  below bigint primary key,
  starts_at timestamptz not null
);
insert into search_terms_backlog (below, starts_at)
select 9223372036854775807, now() + interval '1 hour' from statuses limit 1;
