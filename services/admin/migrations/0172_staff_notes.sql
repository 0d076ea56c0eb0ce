-- expand: notes of staff on reports and accounts

-- Deleted by their author. Notes on an account are deleted with it.
create table staff_notes (
  id bigint primary key,
  kind text not null check (kind in ('report', 'account')),
  -- The report or the account.
  target_id bigint not null,
  -- null for operators
  account_id bigint,
  text text not null,
  created_at timestamptz not null
);
create index staff_notes_of_target on staff_notes (kind, target_id, id);
