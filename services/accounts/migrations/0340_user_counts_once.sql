-- expand: the counters of a user change in one statement for each active day

-- Rows that cancel out are not written. The first statement of a day for a user writes its active day and moves it between two rows of
-- `cohort` and of `locale`.
create or replace function count_user() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if not day_count_pending('users', old.id) then
      insert into day_count_changes (metric, key, day, value) select c.metric, c.key, c.day, -c.value from user_counts(old) c;
    end if;
  elsif day_count_pending('users', new.id) then
    return null;
  elsif tg_op = 'INSERT' then
    insert into day_count_changes (metric, key, day, value) select c.* from user_counts(new) c
      union all select 'active', '', utc_day(coalesce(new.active_at, new.created_at)), 1;
  else
    insert into day_count_changes (metric, key, day, value)
      select changed.metric, changed.key, changed.day, sum(changed.value)::bigint from (
        select c.metric, c.key, c.day, -c.value as value from user_counts(old) c
        union all select c.* from user_counts(new) c
        union all select 'active', utc_day(coalesce(old.active_at, old.created_at))::text, utc_day(new.active_at), 1
          where utc_day(new.active_at) > utc_day(coalesce(old.active_at, old.created_at))) changed
      group by 1, 2, 3 having sum(changed.value) <> 0;
  end if;
  return null;
end $$;

-- The sums by day of 0333, once for each statement instead of each row.
create function sum_day_counts() returns trigger language plpgsql as $$
begin
  -- The insert below is a statement too, and has no such rows.
  if not exists (select 1 from added where added.metric in ('cohort', 'active')) then return null; end if;
  insert into day_count_changes (metric, key, day, value)
    select 'joined', '', added.key::date, sum(added.value)::bigint from added
      where added.metric = 'cohort' group by added.key having sum(added.value) <> 0
    union all select 'active-day', '', added.day, sum(added.value)::bigint from added
      where added.metric = 'active' group by added.day having sum(added.value) <> 0;
  return null;
end $$;
create or replace trigger sum_day_count after insert on day_count_changes
  referencing new table as added for each statement execute function sum_day_counts();
