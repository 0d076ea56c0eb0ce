-- expand: a deed that was worked on may be said again under its id

-- When the actor itself signed what came; null when somebody passed it on, and in rows of releases before.
alter table inbox_activities add column signed_at timestamptz;
-- SHA-256 of the body, which itself goes when it was worked on; null in rows of releases before
alter table inbox_activities add column digest bytea;
-- The deed had been worked on when it was taken back: it may be said again.
alter table undone_activities add column late boolean not null default false;
