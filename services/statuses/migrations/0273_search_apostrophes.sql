-- expand: the words of all statuses are indexed again, with letter apostrophes as the other apostrophes

-- An index of all statuses that is not done yet is contained in this one. It starts an hour later, because processes of the
-- release before index in the earlier form until they have stopped.
delete from status_search_backlog;
insert into status_search_backlog (id, starts_at, below)
select 3, now() + interval '1 hour', 9223372036854775807 from statuses limit 1;
