-- expand: counters by day of statuses and interactions, moved by triggers with each change; uses of tags by domain and language

-- `status`: statuses by domain, empty for local ones. `status-language`: the same by language, without reblogs.
-- `interaction`: reblogs, replies to others and favourites by local accounts.
create function status_counts(s statuses) returns table (metric text, key text, day date, value bigint) language sql stable as $$
  with place as (select case when s.local then '' else (select reverse(a.domain) from author_flags a where a.account_id = s.author_id) end as name,
    (s.created_at at time zone 'UTC')::date as day)
  select 'status', name, day, 1::bigint from place where s.deleted_at is null and name is not null
  union all select 'status-language', name || '/' || coalesce(s.language, 'und'), day, 1 from place
    where s.deleted_at is null and name is not null and s.reblog_of_id is null
  union all select 'interaction', '', day, 1 from place where s.deleted_at is null and s.local
    and (s.reblog_of_id is not null or s.in_reply_to_author_id <> s.author_id)
$$;
create function count_status() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' and not day_count_pending('statuses', old.id) then
    insert into day_count_changes (metric, key, day, value) select c.metric, c.key, c.day, -c.value from status_counts(old) c;
  end if;
  if tg_op <> 'DELETE' and not day_count_pending('statuses', new.id) then
    insert into day_count_changes (metric, key, day, value) select c.* from status_counts(new) c;
  end if;
  return null;
end $$;
create trigger count_status after insert on statuses for each row execute function count_status();
create trigger count_status_gone after delete on statuses for each row when (old.deleted_at is null) execute function count_status();
create trigger count_status_changed after update of deleted_at, language on statuses for each row
  when (old.deleted_at is distinct from new.deleted_at or old.language is distinct from new.language)
  execute function count_status();

create function count_favourite() returns trigger language plpgsql as $$
begin
  insert into day_count_changes (metric, key, day, value)
    select 'interaction', '', (to_timestamp((new.id >> 16) / 1000.0) at time zone 'UTC')::date, 1
    from author_flags a where a.account_id = new.account_id and a.local;
  return null;
end $$;
create trigger count_favourite after insert on favourites for each row execute function count_favourite();

insert into day_count_backfills (name, counts, below)
  select 'statuses', 'status_counts', 9223372036854775807 where exists (select 1 from statuses);

-- Uses of a tag on one UTC day by domain, empty for local ones, and language. Erased with tag_days by the tick `forget-tag-days`.
create table tag_places (
  day date not null,
  tag_id bigint not null,
  domain text not null,
  language text not null,
  uses integer not null,
  primary key (day, tag_id, domain, language)
);
