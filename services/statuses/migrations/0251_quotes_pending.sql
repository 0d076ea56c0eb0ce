-- expand: pending quotes of a status
create index concurrently if not exists quotes_pending on quotes (quoted_id) where state = 0 and quoted_id is not null;
