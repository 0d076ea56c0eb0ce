-- expand: the audit log becomes a chain of hashes, so that a changed or removed entry is found

-- `entry` is the JSON text that is hashed, `hash` is SHA-256 of the hash before it and this text. `seq` has no gaps.
alter table audit_log add column seq bigint, add column entry text, add column hash bytea;

-- The last entry of the chain; a shorter chain than this was cut off.
create table audit_head (
  single boolean primary key default true check (single),
  seq bigint not null,
  hash bytea not null
);
insert into audit_head (seq, hash) values (0, '');

-- Entries of versions that write no text get theirs here.
create function audit_entry(audit_log) returns text language sql as $$
  select coalesce($1.entry, jsonb_build_object(
    'id', $1.id::text,
    'at', to_char($1.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'actor', $1.actor_id::text, 'action', $1.action, 'target_id', $1.target_id, 'target', $1.target,
    'before', $1.before, 'after', $1.after)::text)
$$;

create function chain_audit_entry(new_id bigint) returns void language plpgsql as $$
declare
  stored audit_log;
  head audit_head;
  entry_text text;
begin
  select * into head from audit_head for update;
  select * into stored from audit_log where id = new_id and seq is null;
  if not found then return; end if;
  entry_text := audit_entry(stored);
  head.seq := head.seq + 1;
  head.hash := sha256(head.hash || convert_to(entry_text, 'UTF8'));
  update audit_log set seq = head.seq, entry = entry_text, hash = head.hash where id = new_id;
  update audit_head set seq = head.seq, hash = head.hash;
end
$$;

do $$
declare old_id bigint;
begin
  for old_id in select id from audit_log order by id loop perform chain_audit_entry(old_id); end loop;
end
$$;
create unique index audit_log_seq on audit_log (seq);

-- At the end of each transaction, so that the head is locked for a moment only and always last.
create function chain_new_audit_entry() returns trigger language plpgsql as $$
begin
  perform chain_audit_entry(new.id);
  return null;
end
$$;
create constraint trigger audit_chain after insert on audit_log deferrable initially deferred
  for each row execute function chain_new_audit_entry();
