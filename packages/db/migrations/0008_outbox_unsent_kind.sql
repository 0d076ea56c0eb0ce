-- expand: unsent events and jobs apart, so that jobs that a full stream refuses do not delay events
create index concurrently if not exists outbox_unsent_kind on outbox (left(subject, 3), replays, id) where sent_at is null;
