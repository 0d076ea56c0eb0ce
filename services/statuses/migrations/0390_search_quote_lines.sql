-- expand: the words of all statuses are indexed again, without the line that links to a quoted status

-- An index of all statuses that is not done yet is contained in this one. It starts an hour later, because processes of the
-- release before index that line until they have stopped.
delete from status_search_backlog;
insert into status_search_backlog (id, starts_at, below)
select 4, now() + interval '1 hour', 9223372036854775807 from statuses limit 1;
