-- contract: what another server calls an item is its own business, and means something within its collection alone
alter table collection_items drop constraint if exists collection_items_uri_key;
