-- expand: what an author took back, for when its server begins again
create index concurrently if not exists tombstones_author on tombstones (author_id, at);
