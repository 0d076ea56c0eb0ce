-- expand: since when a status has a local attachment without a check that the status is stored
alter table attachments add column reserved_since timestamptz;

-- A trigger, because processes of an earlier release also assign attachments. An update that sets the column is a check.
create function set_reserved_since() returns trigger language plpgsql as $$
begin
  if new.reserved_since is distinct from old.reserved_since then
    return new;
  end if;
  if new.status is null then
    new.reserved_since := null;
  elsif new.status is distinct from old.status or old.reserved_since is not null then
    new.reserved_since := date_trunc('milliseconds', now());
  end if;
  return new;
end $$;
create trigger set_reserved_since before update of status on attachments for each row when (new.remote_url is null) execute function set_reserved_since();
