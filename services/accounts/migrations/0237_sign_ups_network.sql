-- expand: staff finds logins by the network that they signed up from
create index concurrently if not exists sign_ups_network on sign_ups (ip, user_id) where ip is not null;
