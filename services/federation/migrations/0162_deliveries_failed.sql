-- expand: what failed and is tried again is found among all that waits for its host
create index concurrently if not exists deliveries_failed on deliveries (lane_id, at) where state = 0 and attempts > 0;
