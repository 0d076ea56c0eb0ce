-- expand: webhooks, and the deliveries of the last week

create table webhooks (
  id bigint primary key,
  url text not null,
  events text[] not null,
  -- sealed
  secret text not null,
  -- body with placeholders; null sends the plain JSON
  template text,
  enabled boolean not null default true,
  -- set after a day of failures; nothing is sent until staff enables the webhook again
  paused_at timestamptz,
  -- since when no delivery succeeded; null after a success
  failing_since timestamptz,
  last_error text,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

-- Deleted after a week by the tick `forget-webhook-deliveries`.
create table webhook_deliveries (
  id bigint primary key,
  webhook_id bigint not null references webhooks on delete cascade,
  event text not null,
  body text not null,
  state text not null default 'waiting' check (state in ('waiting', 'delivered', 'refused', 'failed', 'dropped')),
  tries integer not null default 0,
  -- HTTP status of the last try
  status integer,
  error text,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index webhook_deliveries_of on webhook_deliveries (webhook_id, id desc);
create index webhook_deliveries_created on webhook_deliveries (created_at);
