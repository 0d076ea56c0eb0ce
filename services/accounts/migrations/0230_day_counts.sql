-- expand: counters by day of accounts, follows, sign-ups and activity, moved by triggers with each change

create function utc_day(at timestamptz) returns date language sql immutable return (at at time zone 'UTC')::date;

-- `account`: remote accounts by domain and day of creation.
create function account_counts(a accounts) returns table (metric text, key text, day date, value bigint) language sql stable as $$
  select 'account', reverse(a.domain), utc_day(a.created_at), 1::bigint where a.domain is not null
$$;
create function count_account() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' and not day_count_pending('accounts', old.id) then
    insert into day_count_changes (metric, key, day, value) select c.metric, c.key, c.day, -c.value from account_counts(old) c;
  end if;
  if tg_op <> 'DELETE' and not day_count_pending('accounts', new.id) then
    insert into day_count_changes (metric, key, day, value) select c.* from account_counts(new) c;
  end if;
  return null;
end $$;
create trigger count_account after insert or delete on accounts for each row execute function count_account();
create trigger count_account_moved after update of domain on accounts for each row
  when (old.domain is distinct from new.domain) execute function count_account();

-- `follow`: local followers of a domain. `follower`: followers from a domain. `followed`: local followers of each remote account.
create function follow_counts(f follows) returns table (metric text, key text, day date, value bigint) language sql stable as $$
  select 'follow', reverse(a.domain), utc_day(f.created_at), 1::bigint from accounts a
    where f.account_local and a.id = f.target_id and a.domain is not null
  union all select 'followed', reverse(a.domain) || '/' || a.username, date '1970-01-01', 1 from accounts a
    where f.account_local and a.id = f.target_id and a.domain is not null
  union all select 'follower', reverse(a.domain), utc_day(f.created_at), 1 from accounts a
    where not f.account_local and a.id = f.account_id and a.domain is not null
$$;
create function count_follow() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and not day_count_pending('follows', old.id) then
    insert into day_count_changes (metric, key, day, value) select c.metric, c.key, c.day, -c.value from follow_counts(old) c;
  end if;
  if tg_op = 'INSERT' and not day_count_pending('follows', new.id) then
    insert into day_count_changes (metric, key, day, value) select c.* from follow_counts(new) c;
  end if;
  return null;
end $$;
create trigger count_follow after insert or delete on follows for each row execute function count_follow();

-- `cohort`: users by day of sign-up (key) and last active day. `locale`: users by language and last active day.
create function user_counts(u users) returns table (metric text, key text, day date, value bigint) language sql stable as $$
  select 'cohort', utc_day(u.created_at)::text, utc_day(coalesce(u.active_at, u.created_at)), 1::bigint
  union all select 'locale', u.locale, utc_day(coalesce(u.active_at, u.created_at)), 1
$$;
-- `active`: users by active day; the key is the active day before it, empty for the first. Distinct users of a period are
-- those whose day before lies outside of it.
create function user_backfill(u users) returns table (metric text, key text, day date, value bigint) language sql stable as $$
  select c.* from user_counts(u) c
  union all select 'active', '', utc_day(coalesce(u.active_at, u.created_at)), 1
$$;
create function count_user() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' and not day_count_pending('users', old.id) then
    insert into day_count_changes (metric, key, day, value) select c.metric, c.key, c.day, -c.value from user_counts(old) c;
  end if;
  if tg_op <> 'DELETE' and not day_count_pending('users', new.id) then
    insert into day_count_changes (metric, key, day, value) select c.* from user_counts(new) c;
    if tg_op = 'INSERT' then
      insert into day_count_changes (metric, key, day, value)
        values ('active', '', utc_day(coalesce(new.active_at, new.created_at)), 1);
    elsif utc_day(new.active_at) > utc_day(coalesce(old.active_at, old.created_at)) then
      insert into day_count_changes (metric, key, day, value)
        values ('active', utc_day(coalesce(old.active_at, old.created_at))::text, utc_day(new.active_at), 1);
    end if;
  end if;
  return null;
end $$;
create trigger count_user after insert or delete on users for each row execute function count_user();
create trigger count_user_active after update of active_at, locale on users for each row
  when (utc_day(old.active_at) is distinct from utc_day(new.active_at) or old.locale <> new.locale)
  execute function count_user();

-- `source`: users by the application that signed them up and the day of sign-up, which the id holds.
create function count_source() returns trigger language plpgsql as $$
begin
  insert into day_count_changes (metric, key, day, value)
    values ('source', coalesce((select name from applications where id = new.application_id), ''),
      utc_day(to_timestamp((new.user_id >> 16) / 1000.0)), 1);
  return null;
end $$;
create trigger count_source after insert on sign_ups for each row execute function count_source();

insert into day_count_backfills (name, counts, below)
  select name, counts, 9223372036854775807 from (values
    ('accounts', 'account_counts', exists (select 1 from accounts)),
    ('follows', 'follow_counts', exists (select 1 from follows)),
    ('users', 'user_backfill', exists (select 1 from users))) as v(name, counts, filled) where filled;
