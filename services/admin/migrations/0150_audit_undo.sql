-- expand: why staff acted, the bulk action an entry belongs to, the entry that an entry undoes, and which entries are undone

alter table audit_log add column reason text, add column batch_id bigint, add column undoes bigint;

-- One row per entry that is undone, so that it is undone once. Never deleted.
create table audit_undos (
  entry_id bigint primary key,
  -- The entry of the undo; null until the service that owns the state restored it. A job repeats that.
  undo_entry_id bigint,
  -- null for operators
  by_account_id bigint,
  reason text,
  created_at timestamptz not null
);

-- The stamp of the decision replaces any other stamp, because an undo restored it.
alter table decisions add column replaces boolean not null default false;
