-- expand: scheduled replies to a status
create index concurrently if not exists scheduled_statuses_reply on scheduled_statuses ((params ->> 'in_reply_to_id'))
  where params ->> 'in_reply_to_id' is not null;
