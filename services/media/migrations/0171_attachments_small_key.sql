-- expand: the same for previews
create index concurrently if not exists attachments_small_key on attachments (small_key) where state = 'done' and small_key is not null;
