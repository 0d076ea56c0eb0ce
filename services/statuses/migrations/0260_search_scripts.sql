-- expand: the words of all statuses are indexed again, with the usual spelling of letters and digits of further scripts

-- One row is the position of the index of all statuses. A row that is not done begins again, because what it has indexed is in
-- the earlier form. It starts an hour later, because processes of the release before index in the earlier form until they have
-- stopped.
delete from search_terms_backlog;
insert into search_terms_backlog (below, starts_at)
select 9223372036854775807, now() + interval '1 hour' from statuses limit 1;
