-- expand: open undos of a bulk undo
create index concurrently if not exists audit_undos_batch on audit_undos (batch_id) where undo_entry_id is null and batch_id is not null;
