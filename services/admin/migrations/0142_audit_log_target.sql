-- expand: staff filters the audit log by target
create index concurrently if not exists audit_log_target on audit_log (target_id, id);
