-- expand: how deliveries of messages ended, so that one that ends its process is told from one that failed
create table reported_deliveries (
  consumer text not null,
  -- message id and stream sequence
  message text not null,
  -- the last delivery of which a handler reported the end, or that a stopping process gave back
  delivery integer not null,
  at timestamptz not null default now(),
  primary key (consumer, message)
);
create index reported_deliveries_at on reported_deliveries (at);

create table suspect_starts (
  consumer text not null,
  message_id text not null,
  -- runs alone that nobody reported the end of
  starts integer not null,
  -- renewed while the message is worked on
  alive_at timestamptz not null default now(),
  primary key (consumer, message_id)
);
