-- expand: since when a status has a local attachment without a check that the status is stored
alter table attachments add column held_since timestamptz;

-- A trigger, because processes of an earlier release also assign attachments. An update that sets the column is a check.
create function note_held() returns trigger language plpgsql as $$
begin
  if new.held_since is distinct from old.held_since then
    return new;
  end if;
  if new.status is null then
    new.held_since := null;
  elsif new.status is distinct from old.status or old.held_since is not null then
    new.held_since := date_trunc('milliseconds', now());
  end if;
  return new;
end $$;
create trigger note_held before update of status on attachments for each row when (new.remote_url is null) execute function note_held();
