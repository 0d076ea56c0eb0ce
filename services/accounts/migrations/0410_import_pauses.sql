-- expand: time before which a row is not tried again, because its server did not respond
alter table import_rows add column due_at timestamptz;
