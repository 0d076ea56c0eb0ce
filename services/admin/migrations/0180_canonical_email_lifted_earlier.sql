-- expand: a process of the earlier release ends a suspension without its entry in canonical_email_holders; this deletes the entry

-- This release clears account_id before staff removes a block, and names another holder before a suspension ends. So a deleted row
-- that names an account with another holder was deleted by an earlier release, and the address stays blocked for that holder.
create function end_canonical_email() returns trigger language plpgsql as $$
declare
  other bigint;
begin
  delete from canonical_email_holders
    where canonical_email_hash = old.canonical_email_hash and account_id = old.account_id;
  select account_id into other from canonical_email_holders
    where canonical_email_hash = old.canonical_email_hash order by account_id limit 1;
  if other is null then
    return old;
  end if;
  update canonical_email_blocks set account_id = other where id = old.id;
  return null;
end $$;
create trigger end_canonical_email before delete on canonical_email_blocks
  for each row when (old.account_id is not null) execute function end_canonical_email();
