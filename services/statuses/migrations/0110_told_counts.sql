-- expand: how often remote statuses were liked and boosted by the count of their own servers; null when those do not say
alter table status_stats
  add column told_reblogs integer,
  add column told_favourites integer;
