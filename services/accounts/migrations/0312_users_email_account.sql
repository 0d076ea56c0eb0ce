-- expand: staff finds accounts by the beginning of their e-mail address, in the index alone
create index concurrently if not exists users_email_account
  on users (lower(email) text_pattern_ops) include (email, account_id);
