-- expand: staff lists accounts by who invited them
create index concurrently if not exists sign_ups_invite on sign_ups (invite_id) where invite_id is not null;
