-- expand: from where somebody joined is forgotten after a year, found by the id of the login, which tells its time
create index concurrently if not exists sign_ups_ip on sign_ups (user_id) where ip is not null;
