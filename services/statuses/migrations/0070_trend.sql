-- expand: what trends, how links are shared each day, and what staff decided about tags and statuses
alter table tags add column trendable boolean, add column usable boolean not null default true,
  add column listable boolean not null default true, add column reviewed_at timestamptz;
-- whether staff lets it trend; null before they looked
alter table statuses add column trendable boolean;

-- Shares of a page on one UTC day, by public statuses and boosts. Erased after two weeks by the tick `forget-tag-days`.
create table preview_days (
  day date not null,
  preview_id bigint not null,
  uses integer not null default 0,
  accounts integer not null default 0,
  primary key (day, preview_id)
);
create index preview_days_accounts on preview_days (day, accounts desc);
-- Who shared it that day, so that everybody counts once. Erased with the days.
create table preview_users (
  day date not null,
  preview_id bigint not null,
  account_id bigint not null,
  primary key (day, preview_id, account_id)
);

-- What is talked of at the moment, some hundred rows of each kind; made anew by the tick `score-trends`.
create table trends (
  -- 0 tag, 1 link, 2 status
  kind smallint not null,
  id bigint not null,
  -- 0: too little to be shown, kept for its top
  score double precision not null,
  -- the highest of the last two days, which the score decays from, and when that was
  top_score double precision not null,
  top_at timestamptz not null,
  language text,
  -- of a status
  author_id bigint,
  -- what staff decided; null before they looked
  allowed boolean,
  primary key (kind, id)
);
create index trends_best on trends (kind, score desc, id desc) where score > 0;
