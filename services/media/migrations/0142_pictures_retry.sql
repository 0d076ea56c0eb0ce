-- expand: the same for pictures of people and for emoji
create index concurrently if not exists pictures_retry on pictures (retry_at) where retry_at is not null;
