-- expand: index names again, because variants of ideographs and Mongolian letters are also found by their usual form

-- Earlier indexes of all names that are not done yet are contained in these. The second start is for names that processes of
-- the release before write.
delete from account_search_backlog;
insert into account_search_backlog (id, starts_at, below)
select id, at, 9223372036854775807 from (select from accounts limit 1) as old,
  (values (7, now()), (8, now() + interval '1 hour')) as start(id, at);
