-- expand: sites whose links reach the trends, with the decision of staff about them

-- One row per host, made when one of its links is scored. Rows stay, because they hold decisions.
create table publishers (
  id bigint primary key,
  -- ASCII, lower case
  domain text not null unique,
  -- null: not decided
  trendable boolean,
  reviewed_at timestamptz,
  -- when staff was asked by e-mail
  requested_review_at timestamptz
);
