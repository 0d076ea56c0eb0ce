-- expand: counters by day, so that the dashboard of staff never counts rows of large tables

-- One row per metric, key and UTC day. Rows stay. `key` starts with the reversed name of a domain where the metric has one.
create table day_counts (
  metric text collate "C" not null,
  key text collate "C" not null,
  day date not null,
  value bigint not null,
  primary key (metric, key, day)
);
create index day_counts_day on day_counts (metric, day);

-- Changes of counters, written in the transaction of the change. Insert-only, so that writers never wait for each other.
-- The tick `purge` adds them to day_counts every minute and deletes them; readers sum both tables.
create table day_count_changes (
  id bigint generated always as identity primary key,
  metric text collate "C" not null,
  key text collate "C" not null,
  day date not null,
  value bigint not null
);

-- Tables whose older rows are not counted yet: rows with an id below `below`. `counts` is the function that counts a row.
-- The row goes when all are counted.
create table day_count_backfills (
  name text primary key,
  counts text not null,
  below bigint not null
);

-- True while a row is left to the backfill. Waits for a backfill step that is running, so that each row is counted once.
create function day_count_pending(source text, row_id bigint) returns boolean language plpgsql as $$
begin
  perform 1 from day_count_backfills where name = source and below > row_id;
  if not found then return false; end if;
  perform pg_advisory_xact_lock_shared(hashtext('day counts'), hashtext(source));
  perform 1 from day_count_backfills where name = source and below > row_id;
  return found;
end $$;

-- Counts at most `most` older rows of a table, highest ids first; returns how many.
create function backfill_day_counts(source text, most integer) returns integer language plpgsql as $$
declare
  reached bigint;
  counting text;
  lowest bigint;
  counted integer;
begin
  perform pg_advisory_xact_lock(hashtext('day counts'), hashtext(source));
  select below, counts into reached, counting from day_count_backfills where name = source;
  if not found then return 0; end if;
  execute format('with chunk as materialized (select one, one.id from %I one where one.id < $1 order by one.id desc limit $2),
      added as (insert into day_count_changes (metric, key, day, value)
        select v.metric, v.key, v.day, sum(v.value)::bigint from chunk cross join lateral %I(chunk.one) v group by 1, 2, 3)
    select count(*)::integer, min(id) from chunk', source, counting)
    into counted, lowest using reached, most;
  if counted < most then
    delete from day_count_backfills where name = source;
  else
    update day_count_backfills set below = lowest where name = source;
  end if;
  return counted;
end $$;
