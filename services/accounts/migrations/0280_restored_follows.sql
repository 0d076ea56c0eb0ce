-- expand: follows that a domain block ended, and that its undo asked for again

-- Null while it is not asked for again.
alter table severed_follows add column restored_at timestamptz;

-- True if the end of the walk asks for the follows again that the block ended.
alter table domain_measures add column restores boolean not null default false;
