-- expand: where a remote account lists the collections that it keeps, and when somebody here who came to follow it last had them read
alter table accounts add column if not exists featured_collections_url text,
  add column if not exists collections_read_at timestamptz;
