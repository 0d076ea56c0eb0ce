-- expand: approvals of quotes that were not found where they live, when they were looked at again

-- A constant default is kept beside the table, so that nothing is rewritten.
alter table quotes add column missed smallint not null default 0, add column missed_at timestamptz;
