-- expand: the oldest copies are found without reading the table; alone because it is made beside its writers
create index concurrently if not exists attachments_cached on attachments ((coalesce(cached_at, created_at))) where state = 'cached';
