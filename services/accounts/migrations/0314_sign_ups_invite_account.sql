-- expand: staff lists accounts by who invited them, in the index alone
create index concurrently if not exists sign_ups_invite_account
  on sign_ups (invite_id, account_id) where invite_id is not null;
