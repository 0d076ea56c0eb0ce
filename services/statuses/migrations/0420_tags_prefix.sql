-- expand: hashtags are found by prefix, also in databases whose locale is not C
create index concurrently if not exists tags_prefix on tags (name text_pattern_ops);
