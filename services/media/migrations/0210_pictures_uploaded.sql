-- expand: uploaded pictures by their account; alone because it is made beside its writers
create index concurrently if not exists pictures_uploaded on pictures (owner) where remote_url is null;
