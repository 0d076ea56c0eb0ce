-- expand: previews of links, which status shows which, and statuses whose links are looked at in a moment
alter table statuses add column preview_id bigint;
-- the link as the author wrote it
alter table statuses add column preview_url text;

-- One row for each page, by the address it wants to be found at. The tick `forget-previews` deletes those that nothing shows any more.
create table previews (
  id bigint primary key,
  url text not null unique,
  -- 0 link, 1 photo, 2 video
  type smallint not null,
  -- says that it is an article
  article boolean not null,
  title text not null,
  description text not null,
  language text,
  author_name text not null,
  author_url text not null,
  -- the account that wrote the page and says so too
  author_id bigint,
  -- the account that the page names, without its consent
  claimed_author_id bigint,
  provider_name text not null,
  provider_url text not null,
  html text not null,
  width integer not null,
  height integer not null,
  embed_url text not null,
  -- attachment of media
  image_id bigint,
  image_description text not null,
  published_at timestamptz,
  fetched_at timestamptz not null,
  -- whether staff lets it trend; null before they looked
  trendable boolean
);
create index previews_fetched on previews (fetched_at);

-- One row for each address that somebody linked: who fetches it now, what it led to, when it may be fetched again.
create table links (
  url text primary key,
  -- null: there is nothing to show
  preview_id bigint,
  failures smallint not null default 0,
  next_at timestamptz not null,
  held_until timestamptz
);
create index links_next on links (next_at);
create index links_preview on links (preview_id) where preview_id is not null;

-- Rows go with the status.
create table status_previews (
  preview_id bigint not null,
  status_id bigint not null,
  primary key (preview_id, status_id)
);
create index status_previews_status on status_previews (status_id);

-- Links of statuses from elsewhere are looked at after a random while, so that a thousand servers do not come at once.
create table preview_waits (
  status_id bigint primary key,
  due_at timestamptz not null
);
create index preview_waits_due on preview_waits (due_at);
