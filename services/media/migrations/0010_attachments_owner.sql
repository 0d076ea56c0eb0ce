-- expand: everything of somebody who left is found without reading the table; alone because it is made beside its writers
create index concurrently if not exists attachments_owner on attachments (owner);
