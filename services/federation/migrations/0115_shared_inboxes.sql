-- expand: of the inboxes of single people, the one where their server takes what is for many

-- What goes to an audience goes there once instead; null while it is not known, or when the server has none.
alter table inboxes add column shared_id bigint;
