-- expand: the audit log is read by bulk action
create index concurrently if not exists audit_log_batch on audit_log (batch_id, id) where batch_id is not null;
