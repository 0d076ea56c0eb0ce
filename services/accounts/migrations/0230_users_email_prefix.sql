-- expand: staff finds logins by the beginning of their address
create index concurrently if not exists users_email_prefix on users (lower(email) text_pattern_ops);
