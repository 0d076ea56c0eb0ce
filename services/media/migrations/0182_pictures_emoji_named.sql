-- expand: custom emoji of other servers by the time they became known; alone because it is made beside its writers
create index concurrently if not exists pictures_emoji_named on pictures (id)
  where kind = 'emoji' and remote_url is not null and shortcode is not null;
