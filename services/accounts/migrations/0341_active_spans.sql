-- expand: users by active day and the one before it, also by months and years, so that distinct users of a period are summed from few rows

-- The counters of `active` at both scales of the active day: `active-days` by day, `active-months` by month (its first day). The key
-- is the previous active day at one scale: `d/` day (for months only), `m/` month, `y/` year, or `y/` alone for a first active day.
create function active_spans(key text, day date, value bigint)
  returns table (metric text, key text, day date, value bigint) language sql immutable as $$
  select scale.metric, previous.key, scale.day, $3
    from (values ('active-days', $2), ('active-months', date_trunc('month', $2)::date)) as scale(metric, day)
    cross join (values ('d/' || $1), ('m/' || left($1, 7)), ('y/' || left($1, 4))) as previous(key)
    where previous.key not in ('d/', 'm/') and (scale.metric = 'active-months' or previous.key not like 'd/%')
$$;

-- Runs when changes are added to the counters, not when users are active: once for up to 5,000 changes.
create function count_active_spans() returns trigger language plpgsql as $$
begin
  -- The inserts below are statements too, and have no such rows.
  if not exists (select 1 from added where added.metric = 'active') then return null; end if;
  if tg_op = 'INSERT' then
    insert into day_counts as c (metric, key, day, value)
      select s.metric, s.key, s.day, sum(s.value)::bigint
        from added a cross join lateral active_spans(a.key, a.day, a.value) s where a.metric = 'active'
        group by 1, 2, 3 order by 1, 2, 3
      on conflict (metric, key, day) do update set value = c.value + excluded.value;
  else
    insert into day_counts as c (metric, key, day, value)
      select s.metric, s.key, s.day, sum(s.value)::bigint
        from added a join former f using (metric, key, day)
        cross join lateral active_spans(a.key, a.day, a.value - f.value) s where a.metric = 'active'
        group by 1, 2, 3 order by 1, 2, 3
      on conflict (metric, key, day) do update set value = c.value + excluded.value;
  end if;
  return null;
end $$;
create trigger count_active_spans_added after insert on day_counts
  referencing new table as added for each statement execute function count_active_spans();
create trigger count_active_spans_changed after update on day_counts
  referencing old table as former new table as added for each statement execute function count_active_spans();
