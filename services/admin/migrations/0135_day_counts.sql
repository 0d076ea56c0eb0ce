-- expand: counters by day of reports, moved by triggers with each change

-- Domain of the reported account, empty for local ones; null in older rows until the tick `name-report-domains` looks it up.
alter table reports add column target_domain text;

-- `report-opened` and `report-resolved`: reports by day. `report`: reports by domain of the reported account and day.
create function report_counts(r reports) returns table (metric text, key text, day date, value bigint) language sql stable as $$
  select 'report-opened', '', (r.created_at at time zone 'UTC')::date, 1::bigint
  union all select 'report-resolved', '', (r.action_taken_at at time zone 'UTC')::date, 1 where r.action_taken_at is not null
  union all select 'report', reverse(r.target_domain), (r.created_at at time zone 'UTC')::date, 1 where r.target_domain <> ''
$$;
create function count_report() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' and not day_count_pending('reports', old.id) then
    insert into day_count_changes (metric, key, day, value) select c.metric, c.key, c.day, -c.value from report_counts(old) c;
  end if;
  if tg_op <> 'DELETE' and not day_count_pending('reports', new.id) then
    insert into day_count_changes (metric, key, day, value) select c.* from report_counts(new) c;
  end if;
  return null;
end $$;
create trigger count_report after insert or delete on reports for each row execute function count_report();
create trigger count_report_changed after update of action_taken_at, target_domain on reports for each row
  when (old.action_taken_at is distinct from new.action_taken_at or old.target_domain is distinct from new.target_domain)
  execute function count_report();

insert into day_count_backfills (name, counts, below)
  select 'reports', 'report_counts', 9223372036854775807 where exists (select 1 from reports);
