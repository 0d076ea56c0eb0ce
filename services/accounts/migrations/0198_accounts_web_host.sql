-- expand: accounts whose server has another name than their handles are found by it, too; few, so that the index is small
create index concurrently if not exists accounts_web_host
  on accounts (reverse(split_part(uri, '/', 3)) text_pattern_ops, id)
  where domain is not null and split_part(uri, '/', 3) <> domain;
