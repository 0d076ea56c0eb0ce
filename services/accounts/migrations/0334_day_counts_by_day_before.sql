-- expand: users by day of sign-up and by active day, for all that was counted before the trigger of 0333

-- No lock is needed. The trigger adds both rows of a change in its transaction, so one snapshot has both or neither of them. The
-- difference between the sums is what was counted before the trigger.
insert into day_count_changes (metric, key, day, value)
select metric, '', day, sum(value) from (
    select 'joined' as metric, key::date as day, value from day_counts where metric = 'cohort'
    union all select 'joined', key::date, value from day_count_changes where metric = 'cohort'
    union all select 'active-day', day, value from day_counts where metric = 'active'
    union all select 'active-day', day, value from day_count_changes where metric = 'active'
    union all select metric, day, -value from day_counts where metric in ('joined', 'active-day')
    union all select metric, day, -value from day_count_changes where metric in ('joined', 'active-day')) counted
  group by metric, day having sum(value) <> 0;
