-- expand: runs of the current chunk of a task

-- Counted when a chunk begins, because a worker that is lost reports no failure; 0 again when the chunk is done.
alter table tasks add column runs integer not null default 0;
