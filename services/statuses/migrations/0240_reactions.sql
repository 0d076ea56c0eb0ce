-- expand: emoji with which accounts of other servers react to statuses

-- One row per account and status, beside the favourite as which a reaction counts.
create table reactions (
  account_id bigint not null,
  status_id bigint not null,
  -- id of the activity; null: it came without one
  uri text,
  -- an emoji, or the shortcode of a custom one
  name text not null,
  -- of a custom emoji: the server it belongs to, and the addresses of its copy here
  domain text,
  url text,
  static_url text,
  created_at timestamptz not null,
  primary key (account_id, status_id)
);
create index reactions_status on reactions (status_id, created_at desc);
create unique index reactions_uri on reactions (uri) where uri is not null;

-- Says which statuses of a page have reactions, so that a page without any reads none.
alter table status_stats add column reactions int not null default 0;
