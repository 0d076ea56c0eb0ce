-- expand: what somebody takes back is found by its address
create index concurrently if not exists collection_items_authorization on collection_items (authorization_uri)
  where authorization_uri is not null;
