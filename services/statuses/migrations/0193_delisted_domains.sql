-- expand: servers that staff took off the list of limited federation

-- What was written there is erased like that of blocked servers. The tick `erase-suspended` deletes a row when its server is
-- listed again, or the mode is over.
create table delisted_domains (
  domain text primary key,
  at timestamptz not null
);
