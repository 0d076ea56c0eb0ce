-- expand: who read what long ago stands in one row for each status, and whose statuses they were is known

-- Null in rows of releases before. Inbox 0 stands for all servers that know the author.
alter table readers add column author_id bigint;

-- Readers of statuses older than thirty days, moved here by the tick `forget-deliveries`. Goes when the end of the status is
-- told, or with its author.
create table old_readers (
  status_id bigint primary key,
  author_id bigint,
  inboxes bigint[] not null
);
create index old_readers_author on old_readers (author_id);
