-- expand: the same for pictures of people and for emoji
create index concurrently if not exists pictures_domain on pictures (reverse(domain) text_pattern_ops, id)
  where domain is not null and key is not null;
