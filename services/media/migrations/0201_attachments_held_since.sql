-- expand: attachments whose status was not checked; alone because it is made beside its writers
create index concurrently if not exists attachments_held_since on attachments (held_since) where held_since is not null;
