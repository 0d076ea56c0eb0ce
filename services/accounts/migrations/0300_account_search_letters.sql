-- expand: index names again, because words are now also found without the marks within them and with plain letters for decorated ones

-- Numbers 1 and 2 are the first index of all names, which may not be done yet. The second start is for names that processes
-- of the release before write.
insert into account_search_backlog (id, starts_at, below)
select id, at, 9223372036854775807 from (select from accounts limit 1) as old,
  (values (3, now()), (4, now() + interval '1 hour')) as start(id, at)
on conflict (id) do nothing;
