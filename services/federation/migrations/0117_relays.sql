-- expand: relays: servers that pass public statuses on between servers that need not know each other

-- Made and deleted by staff; a handful of rows.
create table relays (
  id bigint primary key,
  -- as staff gave it: an inbox, or the address of an actor
  url text not null unique,
  -- `inbox` takes our activities as they are, `actor` takes boosts of them
  style text not null check (style in ('inbox', 'actor')),
  inbox_url text not null,
  -- who speaks for it; null until that is known
  actor_uri text,
  state text not null default 'idle' check (state in ('idle', 'pending', 'accepted', 'rejected')),
  -- id of the Follow that it answers; null while it is not asked
  follow_uri text,
  created_at timestamptz not null
);
create unique index relays_actor on relays (actor_uri) where actor_uri is not null;
