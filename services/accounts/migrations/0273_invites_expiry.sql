-- expand: staff lists invitations that have time and uses left
create index concurrently if not exists invites_expiry on invites (expires_at)
  where expires_at is not null and (max_uses is null or uses < max_uses);
