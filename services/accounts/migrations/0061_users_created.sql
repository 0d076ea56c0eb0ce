-- expand: registrations by time
create index concurrently users_created_at on users (created_at);
