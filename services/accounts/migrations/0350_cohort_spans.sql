-- expand: users by sign-up and last activity also by months and years, so that retention of an old period is summed from few rows

-- The counters of `cohort` (day of sign-up by last active day) at larger scales. Days of months and years are their first.
create function cohort_spans(key text, day date, value bigint)
  returns table (metric text, key text, day date, value bigint) language sql immutable as $$
  select span.metric, span.key, span.day, $3 from (values
    ('cohort-month', $1, date_trunc('month', $2)::date),
    ('cohort-year', $1, date_trunc('year', $2)::date),
    ('month-cohort-month', left($1, 7), date_trunc('month', $2)::date),
    ('month-cohort-year', left($1, 7), date_trunc('year', $2)::date)) as span(metric, key, day)
$$;

-- Adds the scales of `cohort` to the sums of 0340. The first activity of a user in a month writes four rows more, and in a year eight.
create or replace function sum_day_counts() returns trigger language plpgsql as $$
begin
  -- The insert below is a statement too, and has no such rows.
  if not exists (select 1 from added where added.metric in ('cohort', 'active')) then return null; end if;
  insert into day_count_changes (metric, key, day, value)
    select 'joined', '', added.key::date, sum(added.value)::bigint from added
      where added.metric = 'cohort' group by added.key having sum(added.value) <> 0
    union all select 'active-day', '', added.day, sum(added.value)::bigint from added
      where added.metric = 'active' group by added.day having sum(added.value) <> 0
    union all select s.metric, s.key, s.day, sum(s.value)::bigint
      from added cross join lateral cohort_spans(added.key, added.day, added.value) s
      where added.metric = 'cohort' group by 1, 2, 3 having sum(s.value) <> 0;
  return null;
end $$;
-- Waits for transactions that ran the function of 0340. All later ones run this one.
create or replace trigger sum_day_count after insert on day_count_changes
  referencing new table as added for each statement execute function sum_day_counts();
