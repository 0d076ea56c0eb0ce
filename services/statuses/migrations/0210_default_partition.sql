-- expand: a default partition, so that statuses are stored also when the partition of their month is missing
create table statuses_default (like statuses including defaults including indexes including storage);
alter table statuses attach partition statuses_default default;

-- The id range of each partition except the default: low is inclusive, high is exclusive.
create function month_partitions() returns table (part text, low bigint, high bigint)
language sql stable security definer set search_path from current as $$
  select c.relname::text, coalesce(bounds[1]::bigint, -9223372036854775808), bounds[2]::bigint
  from pg_inherits i join pg_class c on c.oid = i.inhrelid
    cross join lateral regexp_match(pg_get_expr(c.relpartbound, c.oid), 'FROM \((?:MINVALUE|''?(-?\d+)''?)\) TO \(''?(-?\d+)''?\)') as bounds
  where i.inhparent = 'statuses'::regclass and bounds is not null
$$;
revoke all on function month_partitions() from public;

-- How many rows the default partition holds, counted up to a bound, and the month of the oldest one.
create function default_partition_rows(bound int) returns table (held int, oldest date)
language sql stable security definer set search_path from current as $$
  select (select count(*)::int from (select from statuses_default limit bound) as part),
    (select (to_timestamp((min(id) >> 16) / 1000.0) at time zone 'UTC')::date from statuses_default)
$$;
revoke all on function default_partition_rows(int) from public;

-- Creates the partition of a month and moves the rows of that month out of the default partition. Returns false if a partition
-- covers the month. The lock on the default partition stops readers and writers, so it is waited for one second at most.
-- Callers keep the number of rows to move small; `adopt_default_partition` is for large ones.
create or replace function ensure_month(month date) returns boolean
language plpgsql security definer set search_path from current set lock_timeout = '1s' as $$
declare
  first bigint := id_floor(date_trunc('month', month::timestamp) at time zone 'UTC');
  next bigint := id_floor((date_trunc('month', month::timestamp) + interval '1 month') at time zone 'UTC');
  name text := 'statuses_' || to_char(month, 'YYYYMM');
begin
  if exists (select from month_partitions() p where p.low < next and p.high > first) then return false; end if;
  perform pg_advisory_xact_lock(hashtext('statuses months'));
  if exists (select from month_partitions() p where p.low < next and p.high > first) then return false; end if;
  execute format('create table %I (like statuses including defaults including indexes including storage)', name);
  lock table statuses_default in access exclusive mode;
  alter table statuses_default drop constraint if exists statuses_default_range;
  execute format('with moved as (delete from statuses_default where id >= %s and id < %s returning *)
    insert into %I select * from moved', first, next, name);
  execute format('alter table statuses attach partition %I for values from (%s) to (%s)', name, first, next);
  return true;
end $$;

-- A default partition with many rows becomes the partition of all months that it holds, in three steps. No row is moved, and no
-- step holds a lock that stops readers or writers longer than it takes to change the catalog.

-- Step 1: bounds the default partition by a constraint that new rows keep and old rows are not yet checked for. The range is
-- the whole gap between the partitions around it, or ends a full month from now, so that new statuses fit.
create function bound_default_partition(at timestamptz) returns table (low bigint, high bigint)
language plpgsql security definer set search_path from current set lock_timeout = '1s' as $$
declare
  oldest bigint;
  newest bigint;
begin
  perform pg_advisory_xact_lock(hashtext('statuses months'));
  select min(id), max(id) into oldest, newest from statuses_default;
  select max(p.high) into low from month_partitions() p where p.high <= oldest;
  select min(p.low) into high from month_partitions() p where p.low > oldest;
  if newest >= high then
    raise exception 'the default partition holds rows on both sides of another partition' using errcode = 'object_not_in_prerequisite_state';
  end if;
  high := coalesce(high, id_floor((date_trunc('month', greatest(at, to_timestamp((newest >> 16) / 1000.0)) at time zone 'UTC')
    + interval '2 months') at time zone 'UTC'));
  alter table statuses_default drop constraint if exists statuses_default_range;
  execute format('alter table statuses_default add constraint statuses_default_range check (id >= %s and id < %s) not valid', low, high);
  return next;
end $$;
revoke all on function bound_default_partition(timestamptz) from public;

-- Step 2: checks the old rows, beside readers and writers.
create function validate_default_partition() returns void
language sql security definer set search_path from current set lock_timeout = '1s' as $$
  alter table statuses_default validate constraint statuses_default_range
$$;
revoke all on function validate_default_partition() from public;

-- Step 3: puts a new default partition in the place of the old one. The validated constraint spares the scan of its rows.
create function adopt_default_partition(low bigint, high bigint) returns text
language plpgsql security definer set search_path from current set lock_timeout = '1s' as $$
declare
  first text := to_char(to_timestamp((low >> 16) / 1000.0) at time zone 'UTC', 'YYYYMM');
  last text := to_char(to_timestamp(((high - 1) >> 16) / 1000.0) at time zone 'UTC', 'YYYYMM');
  name text := 'statuses_' || first || case when last > first then '_' || last else '' end;
begin
  perform pg_advisory_xact_lock(hashtext('statuses months'));
  if not exists (select from pg_constraint where conrelid = 'statuses_default'::regclass
    and conname = 'statuses_default_range' and convalidated) then
    raise exception 'the default partition is not bounded' using errcode = 'object_not_in_prerequisite_state';
  end if;
  lock table statuses in access exclusive mode;
  alter table statuses detach partition statuses_default;
  execute format('alter table statuses_default rename to %I', name);
  execute format('alter table statuses attach partition %I for values from (%s) to (%s)', name, low, high);
  execute format('alter table %I drop constraint statuses_default_range', name);
  create table statuses_default (like statuses including defaults including indexes including storage);
  alter table statuses attach partition statuses_default default;
  return name;
end $$;
revoke all on function adopt_default_partition(bigint, bigint) from public;
