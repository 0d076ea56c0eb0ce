-- expand: the accounts of a domain with most local followers, for the dashboard of staff
create index concurrently if not exists day_counts_followed
  on day_counts (split_part(key, '/', 1), value desc, key) where metric = 'followed';
