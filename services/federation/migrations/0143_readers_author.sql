-- expand: readers of the statuses of somebody who is gone are found by their author
create index concurrently if not exists readers_author on readers (author_id);
