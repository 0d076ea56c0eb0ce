-- expand: tables that people bring along, and what became of their rows

-- Unconfirmed ones go after ten minutes, the others after a week, all with the account.
create table imports (
  id bigint primary key,
  account_id bigint not null references accounts on delete cascade,
  kind text not null check (kind in ('follows', 'blocks', 'mutes', 'domain_blocks', 'lists', 'bookmarks')),
  overwrite boolean not null,
  state text not null check (state in ('unconfirmed', 'running', 'finished')),
  -- what is not in the file is gone already
  cleared boolean not null default false,
  name text not null,
  total integer not null,
  processed integer not null default 0,
  imported integer not null default 0,
  created_at timestamptz not null
);
create index imports_of on imports (account_id, id);
create index imports_created_at on imports (created_at);

-- Go with their import.
create table import_rows (
  import_id bigint not null references imports on delete cascade,
  n integer not null,
  -- as they stood in the file
  cells text[] not null,
  -- handle, domain or address in the one spelling that is compared
  key text not null,
  state text not null default 'waiting' check (state in ('waiting', 'away', 'imported', 'failed')),
  tries smallint not null default 0,
  primary key (import_id, n)
);
create index import_rows_waiting on import_rows (import_id, tries, n) where state = 'waiting';
create index import_rows_failed on import_rows (import_id, n) where state = 'failed';
create index import_rows_key on import_rows (import_id, key);
