-- expand: the bulk undo that claimed an undo, so that the tick or a repeated run finishes it as a part of that
alter table audit_undos add column batch_id bigint;
