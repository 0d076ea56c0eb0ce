-- expand: staff filters the audit log by action
create index concurrently if not exists audit_log_action on audit_log (action, id);
