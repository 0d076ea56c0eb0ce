-- expand: what a host gets next is found however much waits for it
create index concurrently if not exists deliveries_next on deliveries (lane_id, seq, activity_id) where state = 0;
