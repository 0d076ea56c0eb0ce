-- expand: finds the few hashtags that staff made unusable
create index concurrently if not exists tags_unusable on tags (id) where not usable;
