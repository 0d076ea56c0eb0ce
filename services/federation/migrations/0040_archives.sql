-- expand: archives of people, made by a worker

-- Deleted with their file by the tick `forget-archives` seven days after they were made, and with the account.
create table archives (
  id bigint primary key,
  account_id bigint not null,
  username text not null,
  state text not null default 'waiting' check (state in ('waiting', 'ready', 'failed')),
  -- name in the blob store, which nobody can guess
  key text not null,
  size bigint,
  created_at timestamptz not null,
  ready_at timestamptz
);
create index archives_of on archives (account_id, id);
create index archives_created_at on archives (created_at);
