-- expand: another kind of table that the header or the name of an imported file indicates, for a warning before the confirmation
alter table imports add column likely_kind text;
