-- expand: what people did in a year, summed up once
-- Rows go with the account.
create table annual_reports (
  id bigint primary key,
  account_id bigint not null,
  year smallint not null,
  -- null while it is being made
  data jsonb,
  requested_at timestamptz not null,
  read_at timestamptz,
  unique (account_id, year)
);
