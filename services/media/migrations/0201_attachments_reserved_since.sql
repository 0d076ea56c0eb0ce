-- expand: attachments whose status was not checked; alone because it is made beside its writers
create index concurrently if not exists attachments_reserved_since on attachments (reserved_since) where reserved_since is not null;
