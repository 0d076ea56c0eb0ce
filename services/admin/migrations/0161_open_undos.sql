-- expand: undos that another service has not carried out yet are found by a tick
create index concurrently if not exists audit_undos_open on audit_undos (created_at) where undo_entry_id is null;
