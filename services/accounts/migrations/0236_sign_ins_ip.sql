-- expand: staff finds logins by network
create index concurrently if not exists sign_ins_ip on sign_ins (ip, user_id);
