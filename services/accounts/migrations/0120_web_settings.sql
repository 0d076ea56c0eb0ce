-- expand: what a web client remembers of a person, as it sent it
-- Goes with the account.
create table web_settings (
  account_id bigint primary key references accounts on delete cascade,
  data jsonb not null,
  updated_at timestamptz not null
);
