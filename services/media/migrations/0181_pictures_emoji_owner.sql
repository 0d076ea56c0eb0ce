-- expand: custom emoji of a server and of those below it; alone because it is made beside its writers
create index concurrently if not exists pictures_emoji_owner on pictures (reverse(owner) text_pattern_ops, id)
  where kind = 'emoji' and remote_url is not null;
