-- expand: users by sign-up and last activity at the scales of 0350, for all that was counted before

-- No lock is needed. The trigger adds all scales of a change in its transaction, so one snapshot has all of them or none. The
-- difference between the sums is what was counted before the trigger.
insert into day_counts as c (metric, key, day, value)
select metric, key, day, sum(value)::bigint from (
    select s.metric, s.key, s.day, s.value from (
        select key, day, value from day_counts where metric = 'cohort'
        union all select key, day, value from day_count_changes where metric = 'cohort') d
      cross join lateral cohort_spans(d.key, d.day, d.value) s
    union all select metric, key, day, -value from day_counts
      where metric in ('cohort-month', 'cohort-year', 'month-cohort-month', 'month-cohort-year')
    union all select metric, key, day, -value from day_count_changes
      where metric in ('cohort-month', 'cohort-year', 'month-cohort-month', 'month-cohort-year')) counted
  group by metric, key, day having sum(value) <> 0 order by metric, key, day
  on conflict (metric, key, day) do update set value = c.value + excluded.value;
