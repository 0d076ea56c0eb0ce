-- expand: staff filters the audit log by actor
create index concurrently if not exists audit_log_actor on audit_log (actor_id, id);
