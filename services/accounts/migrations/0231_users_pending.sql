-- expand: staff lists logins that wait for approval
create index concurrently if not exists users_pending on users (account_id) where not approved;
