-- expand: who follows and features which tags, and how often tags are used each day

-- Rows go when the tag is unfollowed, or with the account. The id is a moment: only later statuses come by the tag.
create table tag_follows (
  id bigint not null,
  account_id bigint not null,
  tag_id bigint not null,
  primary key (tag_id, account_id)
);
create unique index tag_follows_account on tag_follows (account_id, id desc);

-- Of people here and elsewhere; rows go when the tag is taken off the profile, or with the account.
create table featured_tags (
  id bigint primary key,
  account_id bigint not null,
  tag_id bigint not null,
  -- as its owner spells it
  name text not null,
  -- public and unlisted statuses of the account with the tag
  statuses_count integer not null default 0,
  last_status_at timestamptz,
  unique (account_id, tag_id)
);

-- Uses of a tag on one UTC day, by public statuses of accounts that are not limited. Erased after two weeks by the tick `forget-tag-days`.
create table tag_days (
  day date not null,
  tag_id bigint not null,
  uses integer not null default 0,
  accounts integer not null default 0,
  primary key (day, tag_id)
);
create index tag_days_accounts on tag_days (day, accounts desc);
-- Who used it that day, so that everybody counts once. Erased with the days.
create table tag_users (
  day date not null,
  tag_id bigint not null,
  account_id bigint not null,
  primary key (day, tag_id, account_id)
);
