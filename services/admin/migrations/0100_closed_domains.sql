-- expand: servers whose accounts are suspended because federation is limited and they are not allowed

-- Written and deleted by the tick close-domains.
create table closed_domains (
  domain text primary key
);
