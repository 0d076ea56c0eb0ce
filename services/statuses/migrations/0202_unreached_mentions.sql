-- expand: people whom remote statuses mention and whose servers did not answer, until they are found or given up

-- The job `find-mentioned` deletes a row when that person was found, when there is nobody, and after the last try; an edit of
-- the status deletes all of it.
create table unreached_mentions (
  status_id bigint not null,
  -- as the mention spells whom it means: the actor or its page, and `name@domain`
  uri text not null,
  handle text,
  host text not null,
  -- how often they were looked for again
  tries smallint not null default 0,
  due_at timestamptz not null,
  primary key (status_id, uri)
);
create index unreached_mentions_due on unreached_mentions (due_at);
create index unreached_mentions_host on unreached_mentions (host, due_at);
