-- expand: replaced pictures by time; alone because it is made beside its writers
create index concurrently if not exists pictures_replaced on pictures (replaced_at) where replaced_at is not null;
