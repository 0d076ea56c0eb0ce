-- expand: each attempt to publish a scheduled status has its own status id; earlier ones may still have its attachments
alter table scheduled_statuses add column former_ids bigint[] not null default '{}';
