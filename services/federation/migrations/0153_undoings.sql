-- expand: an undoing is known as soon as it comes in, with when it was signed; a deed said again after it is told from one before

-- When its actor signed it; null when somebody passed it on, and in rows of releases before.
alter table undone_activities add column signed_at timestamptz;
-- The Undo in inbox_activities; null in rows of releases before.
alter table undone_activities add column undo_id bigint;
-- What stands here was said again by its actor, after the same had been worked on or had waited.
alter table inbox_activities add column again boolean not null default false;
