-- expand: people here and elsewhere, their counters, roles, logins and preferences

-- Local rows stay for ever, so that a name is never given twice; remote rows go with accounts.account.remove-remote.
create table accounts (
  id bigint primary key,
  username text not null,
  -- null for people of this server, else ASCII in lower case
  domain text,
  uri text not null,
  url text not null,
  type text not null default 'Person' check (type in ('Person', 'Service', 'Application', 'Group', 'Organization')),
  display_name text not null default '',
  -- as typed; empty for remote people
  note text not null default '',
  note_html text not null default '',
  -- [{name, value, verified_at}] as typed, and as shown
  fields jsonb not null default '[]',
  fields_html jsonb not null default '[]',
  -- [{shortcode, url, static_url}] of the profile's own domain
  emojis jsonb not null default '[]',
  -- {url, static_url, media_type}, null for the default picture
  avatar jsonb,
  avatar_description text not null default '',
  avatar_remote_url text,
  header jsonb,
  header_description text not null default '',
  header_remote_url text,
  locked boolean not null default false,
  discoverable boolean,
  indexable boolean not null default false,
  hide_collections boolean,
  show_media boolean not null default true,
  show_media_replies boolean not null default true,
  show_featured boolean not null default true,
  memorial boolean not null default false,
  attribution_domains text[] not null default '{}',
  also_known_as text[] not null default '{}',
  moved_to_uri text,
  moved_to_id bigint,
  silenced_at timestamptz,
  -- who did it: undoing a domain block undoes just what carries its stamp
  silenced_by text,
  suspended_at timestamptz,
  suspended_by text,
  sensitized_at timestamptz,
  inbox_url text,
  shared_inbox_url text,
  outbox_url text,
  followers_url text,
  following_url text,
  featured_url text,
  -- totals as the home server tells them
  remote_followers_count integer,
  remote_following_count integer,
  remote_statuses_count integer,
  -- when a remote profile was last read
  fetched_at timestamptz,
  created_at timestamptz not null
);
-- also for the beginnings of names, which search asks for
create unique index accounts_handle on accounts (lower(username) text_pattern_ops, coalesce(domain, ''));
create unique index accounts_uri on accounts (uri);
create index accounts_domain on accounts (reverse(domain) text_pattern_ops, id) where domain is not null;
create index accounts_display_name_prefix on accounts (lower(display_name) text_pattern_ops);
create index accounts_moved_to_uri on accounts (moved_to_uri) where moved_to_uri is not null;

-- Goes with its account.
create table account_stats (
  account_id bigint primary key references accounts on delete cascade,
  followers_count integer not null default 0,
  following_count integer not null default 0,
  statuses_count integer not null default 0,
  last_status_at timestamptz
) with (fillfactor = 70);

-- Deleted by staff.
create table roles (
  id bigint primary key,
  name text not null,
  color text not null default '',
  position integer not null,
  permissions integer not null,
  highlighted boolean not null default false,
  collection_limit integer not null default 10
);
insert into roles (id, name, position, permissions, highlighted) values
  (-99, '', -1, 65536, false),
  (1, 'Moderator', 10, 1049884, true),
  (2, 'Admin', 100, 2031612, true),
  (3, 'Owner', 1000, 1, true);

-- The login of a local person. Goes with its account.
create table users (
  id bigint primary key,
  account_id bigint not null unique references accounts on delete cascade,
  email text not null,
  password_hash text,
  role_id bigint references roles on delete set null,
  locale text not null default 'en',
  confirmed_at timestamptz,
  approved boolean not null default true,
  disabled boolean not null default false,
  -- last sign-in, or the first request of a day
  active_at timestamptz,
  created_at timestamptz not null
);
create unique index users_email on users (lower(email));
create index users_active_at on users (active_at);
create index users_role on users (role_id) where role_id is not null;

-- Where people signed in from; goes with the login, and after a year.
create table sign_ins (
  user_id bigint not null references users on delete cascade,
  ip inet not null,
  used_at timestamptz not null,
  primary key (user_id, ip)
);
create index sign_ins_used_at on sign_ins (used_at);

-- Goes with its account.
create table preferences (
  account_id bigint primary key references accounts on delete cascade,
  default_privacy text check (default_privacy in ('public', 'unlisted', 'private', 'direct')),
  default_sensitive boolean not null default false,
  default_language text,
  default_quote_policy text not null default 'public' check (default_quote_policy in ('public', 'followers', 'nobody')),
  show_application boolean not null default true,
  aggregate_reblogs boolean not null default true,
  expand_media text not null default 'default' check (expand_media in ('default', 'show_all', 'hide_all')),
  expand_spoilers boolean not null default false,
  autoplay_gifs boolean not null default false,
  noindex boolean not null default false,
  chosen_languages text[]
);

-- Signing keys of people here; the server's own has the account id -99. Go with the account, after its last delivery.
create table keys (
  account_id bigint primary key,
  public_pem text not null,
  private_sealed text not null,
  created_at timestamptz not null
);

-- Public keys of remote people, replaced as a set with each reading of the profile.
create table remote_keys (
  id text primary key,
  account_id bigint not null references accounts on delete cascade,
  pem text not null
);
create index remote_keys_account on remote_keys (account_id);
