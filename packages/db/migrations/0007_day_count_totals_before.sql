-- expand: sums of all days, for all that was counted before the triggers of 0006

-- No lock is needed. A trigger changes the sums in the transaction of the counters, so one snapshot has both changes or neither. The
-- difference is what was counted before.
insert into day_count_totals as c (metric, key, value)
select metric, key, sum(value)::bigint from (
    select metric, key, value from day_counts
      where metric in ('account', 'follow', 'follower', 'status', 'attachment', 'report')
    union all select metric, key, -value from day_count_totals) counted
  group by metric, key having sum(value) <> 0 order by metric, key
  on conflict (metric, key) do update set value = c.value + excluded.value;
