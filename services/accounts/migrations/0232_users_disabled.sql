-- expand: staff lists disabled logins
create index concurrently if not exists users_disabled on users (account_id) where disabled;
