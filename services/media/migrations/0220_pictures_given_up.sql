-- expand: when a picture of another server was given up; null once a copy is stored
alter table pictures add column given_up_at timestamptz;
