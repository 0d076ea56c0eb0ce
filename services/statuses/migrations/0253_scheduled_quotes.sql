-- expand: scheduled quotes of a status
create index concurrently if not exists scheduled_statuses_quoted on scheduled_statuses ((params ->> 'quoted_status_id'))
  where params ->> 'quoted_status_id' is not null;
