-- expand: collections that a report names
alter table reports add column collection_ids bigint[] not null default '{}';
