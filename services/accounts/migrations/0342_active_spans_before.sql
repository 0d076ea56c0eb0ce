-- expand: active users at the scales of 0341, for all that was counted before its triggers

-- No lock is needed. A trigger changes both kinds of counters in one transaction, so one snapshot has both changes or neither. The
-- difference between the sums is what was counted before.
insert into day_counts as c (metric, key, day, value)
select metric, key, day, sum(value)::bigint from (
    select s.metric, s.key, s.day, s.value from day_counts d
      cross join lateral active_spans(d.key, d.day, d.value) s where d.metric = 'active'
    union all select metric, key, day, -value from day_counts where metric in ('active-days', 'active-months')) counted
  group by metric, key, day having sum(value) <> 0 order by metric, key, day
  on conflict (metric, key, day) do update set value = c.value + excluded.value;
