-- expand: number of pages that were given up since a row of the import was last imported
alter table imports add column stopped_pages integer not null default 0;
