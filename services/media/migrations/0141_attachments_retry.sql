-- expand: attachments that are tried again are found by their time; alone because it is made beside its writers
create index concurrently if not exists attachments_retry on attachments (retry_at) where retry_at is not null;
