-- expand: time zone that the user chose; null means the time zone of the sign-up
alter table preferences add column time_zone text;
