-- expand: sums by day of sign-up and of active day, so that the dashboard reads one row for each day of a period

-- `joined`: users by day of sign-up. `active-day`: users by active day. Both are sums over the keys of `cohort` and of `active`.
create function sum_day_count() returns trigger language plpgsql as $$
begin
  if new.metric = 'cohort' then
    insert into day_count_changes (metric, key, day, value) values ('joined', '', new.key::date, new.value);
  else
    insert into day_count_changes (metric, key, day, value) values ('active-day', '', new.day, new.value);
  end if;
  return null;
end $$;

-- Changes wait until the earlier ones are summed. Only the tick `purge` and changes of accounts write them.
lock table day_count_changes in share row exclusive mode;
create trigger sum_day_count after insert on day_count_changes for each row
  when (new.metric in ('cohort', 'active')) execute function sum_day_count();
insert into day_counts (metric, key, day, value)
  select 'joined', '', key::date, sum(value) from (
    select key, value from day_counts where metric = 'cohort'
    union all select key, value from day_count_changes where metric = 'cohort') counted group by key::date
  union all
  select 'active-day', '', day, sum(value) from (
    select day, value from day_counts where metric = 'active'
    union all select day, value from day_count_changes where metric = 'active') counted group by day;
