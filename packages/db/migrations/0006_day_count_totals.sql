-- expand: sums of all days of the counters by domain, so that measures of all time do not read a row for each day

-- One row per metric and key, for the metrics that the dashboard shows for all time. Triggers change it with `day_counts`.
create table day_count_totals (
  metric text collate "C" not null,
  key text collate "C" not null,
  value bigint not null,
  primary key (metric, key)
);

create function has_total(metric text) returns boolean language sql immutable
  return metric in ('account', 'follow', 'follower', 'status', 'attachment', 'report');

-- Runs when changes are added to the counters: once for up to 5,000 changes.
create function count_totals() returns trigger language plpgsql as $$
begin
  if not exists (select 1 from added where has_total(added.metric)) then return null; end if;
  if tg_op = 'INSERT' then
    insert into day_count_totals as c (metric, key, value)
      select a.metric, a.key, sum(a.value)::bigint from added a where has_total(a.metric)
        group by 1, 2 order by 1, 2
      on conflict (metric, key) do update set value = c.value + excluded.value;
  else
    insert into day_count_totals as c (metric, key, value)
      select a.metric, a.key, sum(a.value - f.value)::bigint from added a join former f using (metric, key, day)
        where has_total(a.metric) group by 1, 2 order by 1, 2
      on conflict (metric, key) do update set value = c.value + excluded.value;
  end if;
  return null;
end $$;
create trigger count_totals_added after insert on day_counts
  referencing new table as added for each statement execute function count_totals();
create trigger count_totals_changed after update on day_counts
  referencing old table as former new table as added for each statement execute function count_totals();
