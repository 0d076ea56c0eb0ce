-- expand: pictures are found by the names of their still forms; alone because it is made beside its writers
create index concurrently if not exists pictures_still_key on pictures (still_key) where still_key is not null;
