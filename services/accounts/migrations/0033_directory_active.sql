-- expand: the directory, those who wrote last first
create index concurrently if not exists account_stats_last_status_at on account_stats (last_status_at desc nulls last, account_id desc);
