-- expand: statuses that wait for their time
create table scheduled_statuses (
  id bigint primary key,
  account_id bigint not null,
  scheduled_at timestamptz not null,
  -- what the author sent, settled, as the API shows it
  params jsonb not null,
  application jsonb,
  media_ids bigint[] not null default '{}',
  -- its time has come and a job publishes it
  queued_at timestamptz,
  -- the id it will have, the same for every attempt
  status_id bigint
);
-- Rows go when they are published or taken back.
create index scheduled_statuses_account on scheduled_statuses (account_id, id desc);
create index scheduled_statuses_due on scheduled_statuses (scheduled_at) where queued_at is null;
