-- expand: a process of the earlier release stores a blocked address without the suspended account; this adds the account

-- Before the insert, because a second account with the same address adds no block.
create function hold_canonical_email() returns trigger language plpgsql as $$
begin
  insert into canonical_email_holders (canonical_email_hash, account_id)
    values (new.canonical_email_hash, new.account_id) on conflict do nothing;
  return new;
end $$;
create trigger hold_canonical_email before insert on canonical_email_blocks
  for each row when (new.account_id is not null) execute function hold_canonical_email();
insert into canonical_email_holders (canonical_email_hash, account_id)
  select canonical_email_hash, account_id from canonical_email_blocks where account_id is not null on conflict do nothing;
