-- expand: the undo of a domain block finds the follows that it ended
create index concurrently if not exists severances_cause on severances (cause, id);
