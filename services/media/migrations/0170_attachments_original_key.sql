-- expand: local attachments are found by the names of their files; alone because it is made beside its writers
create index concurrently if not exists attachments_original_key on attachments (original_key) where state = 'done';
