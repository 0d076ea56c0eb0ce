-- expand: staff lists invitations that are used up
create index concurrently if not exists invites_used_up on invites (id) where uses >= max_uses;
