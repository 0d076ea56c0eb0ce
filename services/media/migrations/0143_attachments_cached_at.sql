-- expand: when a file of another server was copied; of older copies the row's own time counts
alter table attachments add column cached_at timestamptz;
