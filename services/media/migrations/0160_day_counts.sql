-- expand: counters of stored bytes, moved by triggers with each change

-- `attachment`: bytes of attachments by domain of their author and day. `stored`: bytes of all attachments.
create function attachment_counts(a attachments) returns table (metric text, key text, day date, value bigint) language sql stable as $$
  select 'attachment', reverse(a.domain), (a.created_at at time zone 'UTC')::date, a.size where a.domain is not null and a.size > 0
  union all select 'stored', '', date '1970-01-01', a.size where a.size > 0
$$;
create function count_attachment() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' and not day_count_pending('attachments', old.id) then
    insert into day_count_changes (metric, key, day, value) select c.metric, c.key, c.day, -c.value from attachment_counts(old) c;
  end if;
  if tg_op <> 'DELETE' and not day_count_pending('attachments', new.id) then
    insert into day_count_changes (metric, key, day, value) select c.* from attachment_counts(new) c;
  end if;
  return null;
end $$;
create trigger count_attachment after insert on attachments for each row when (new.size > 0) execute function count_attachment();
create trigger count_attachment_gone after delete on attachments for each row when (old.size > 0) execute function count_attachment();
create trigger count_attachment_size after update of size on attachments for each row
  when (old.size <> new.size) execute function count_attachment();

-- `stored`: bytes of all pictures of accounts and of emoji.
create function picture_counts(p pictures) returns table (metric text, key text, day date, value bigint) language sql stable as $$
  select 'stored', '', date '1970-01-01', p.size where p.size > 0
$$;
create function count_picture() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' and not day_count_pending('pictures', old.id) then
    insert into day_count_changes (metric, key, day, value) select c.metric, c.key, c.day, -c.value from picture_counts(old) c;
  end if;
  if tg_op <> 'DELETE' and not day_count_pending('pictures', new.id) then
    insert into day_count_changes (metric, key, day, value) select c.* from picture_counts(new) c;
  end if;
  return null;
end $$;
create trigger count_picture after insert on pictures for each row when (new.size > 0) execute function count_picture();
create trigger count_picture_gone after delete on pictures for each row when (old.size > 0) execute function count_picture();
create trigger count_picture_size after update of size on pictures for each row
  when (old.size <> new.size) execute function count_picture();

insert into day_count_backfills (name, counts, below)
  select name, counts, 9223372036854775807 from (values
    ('attachments', 'attachment_counts', exists (select 1 from attachments)),
    ('pictures', 'picture_counts', exists (select 1 from pictures))) as v(name, counts, filled) where filled;
