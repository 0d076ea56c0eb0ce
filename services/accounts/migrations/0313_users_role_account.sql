-- expand: staff lists accounts by role, in the index alone
create index concurrently if not exists users_role_account on users (role_id, account_id) where role_id is not null;
