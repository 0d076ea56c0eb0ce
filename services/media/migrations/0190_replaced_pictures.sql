-- expand: pictures of remote accounts that a newer one replaced; the tick `forget-replaced` deletes them after an hour
alter table pictures add column replaced_at timestamptz;
