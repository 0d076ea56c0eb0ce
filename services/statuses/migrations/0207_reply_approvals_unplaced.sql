-- expand: approvals of which nobody noted whose answers they are for, until the tick `place-approvals` did
create index concurrently if not exists reply_approvals_unplaced on reply_approvals (status_id) where host is null;
