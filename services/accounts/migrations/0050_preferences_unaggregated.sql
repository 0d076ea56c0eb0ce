-- expand: fan-out finds the few who want to see each boost of the same status
create index concurrently preferences_unaggregated on preferences (account_id) where not aggregate_reblogs;
