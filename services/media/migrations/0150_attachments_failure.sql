-- expand: why processing failed, as the owner of the upload reads it
alter table attachments add column failure text;
