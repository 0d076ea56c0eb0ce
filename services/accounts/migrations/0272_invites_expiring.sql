-- expand: staff lists invitations that have expired and had uses left
create index concurrently if not exists invites_expiring on invites (id)
  where expires_at is not null and (max_uses is null or uses < max_uses);
