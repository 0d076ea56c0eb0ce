-- expand: copies of one domain and of what is below it are found without reading the table; alone because it is made beside its writers
create index concurrently if not exists attachments_domain on attachments (reverse(domain) text_pattern_ops, id)
  where domain is not null and original_key is not null;
