-- expand: whatever an account is in goes with it without reading all items; the index of those that count holds not all of them
create index concurrently if not exists collection_items_member on collection_items (account_id);
