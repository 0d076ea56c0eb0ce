-- expand: servers that a crawl found, with the numbers they state

-- Rows go with their task: 90 days after its end, with the tick `purge`.
create table crawled_servers (
  task_id bigint not null references tasks (id) on delete cascade,
  -- The order in which servers were found.
  id bigint generated always as identity,
  host text not null,
  -- The registered domain, because one owner may have any number of hosts below it.
  site text not null,
  state text not null check (state in ('waiting', 'visited', 'failed', 'blocked')),
  tries smallint not null default 0,
  -- A server that was not asked because of a rate limit waits until then.
  due_at timestamptz not null,
  software text,
  version text,
  users bigint,
  statuses bigint,
  active_week bigint,
  joined_week bigint,
  primary key (task_id, host)
);
create unique index crawled_servers_order on crawled_servers (task_id, id);
create index crawled_servers_site on crawled_servers (task_id, site);
create index crawled_servers_waiting on crawled_servers (task_id, due_at, id) where state = 'waiting';
