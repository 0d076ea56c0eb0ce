-- expand: a scheduled status that could not be published stays in the list, with the reason
alter table scheduled_statuses add column failed_at timestamptz, add column failure text;
