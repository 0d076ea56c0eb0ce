-- expand: the numbers of users and active users are counted in the index alone
create index concurrently if not exists users_confirmed on users (active_at) where confirmed_at is not null;
