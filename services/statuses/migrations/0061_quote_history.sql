-- expand: versions of statuses say whether they quoted something
alter table status_edits add column has_quote boolean not null default false;
