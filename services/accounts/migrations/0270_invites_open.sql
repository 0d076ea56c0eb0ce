-- expand: staff lists invitations that never expire and have uses left
create index concurrently if not exists invites_open on invites (id)
  where expires_at is null and (max_uses is null or uses < max_uses);
