-- expand: remote profiles that could not be read are left alone for a while, longer each time
alter table accounts
  add column fetch_failures smallint not null default 0,
  add column fetch_after timestamptz;
