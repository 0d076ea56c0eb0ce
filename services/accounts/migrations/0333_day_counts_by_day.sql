-- expand: users by day of sign-up and by active day, so that the dashboard reads one row for each day of a period

-- `joined`: users by day of sign-up, the key of `cohort`. `active-day`: users by active day, for all keys of `active`. Changes of the
-- last active day move a user between two rows of `cohort` with the same key, so that the two changes of `joined` cancel out.
create function sum_day_count() returns trigger language plpgsql as $$
begin
  if new.metric = 'cohort' then
    insert into day_count_changes (metric, key, day, value) values ('joined', '', new.key::date, new.value);
  else
    insert into day_count_changes (metric, key, day, value) values ('active-day', '', new.day, new.value);
  end if;
  return null;
end $$;
create trigger sum_day_count after insert on day_count_changes for each row
  when (new.metric in ('cohort', 'active')) execute function sum_day_count();
