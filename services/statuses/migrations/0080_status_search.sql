-- expand: the words of statuses, for full-text search

-- One row for each status that is no boost, written by the reactions to its creation and edits, and by the tick
-- `index-older` for what is older than this table. Rows go in the transaction that deletes the status. They stay as long
-- as the status does, so the table is not cut into months: nothing is ever dropped by age, and one index answers a query
-- with one descent instead of one for each month.
create table status_search (
  status_id bigint primary key,
  author_id bigint not null,
  visibility smallint not null,
  -- words of the text by the configuration `simple`, and properties such as `=is:reply`, which no word can look like
  words tsvector not null
);
create index status_search_words on status_search using gin (words);
create index status_search_author on status_search (author_id, status_id desc);

-- How far the tick has come: statuses below this id are not looked at yet. The row goes when there are none.
create table search_backlog (
  below bigint primary key
);
insert into search_backlog (below) select max(id) + 1 from statuses having max(id) is not null;
