-- expand: announcements, who has read them, and reactions to them

-- Few, kept until staff removes them.
create table announcements (
  id bigint primary key,
  text text not null,
  starts_at timestamptz,
  ends_at timestamptz,
  all_day boolean not null default false,
  scheduled_at timestamptz,
  published_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check ((starts_at is null) = (ends_at is null)),
  check (starts_at is not null or not all_day)
);

-- Both go with their announcement, and with the account that made them.
create table announcement_dismissals (
  announcement_id bigint not null references announcements on delete cascade,
  account_id bigint not null,
  primary key (account_id, announcement_id)
);
create index announcement_dismissals_of on announcement_dismissals (announcement_id);

create table announcement_reactions (
  announcement_id bigint not null references announcements on delete cascade,
  name text not null,
  account_id bigint not null,
  -- addresses of a custom emoji; null for unicode
  url text,
  static_url text,
  created_at timestamptz not null,
  primary key (announcement_id, name, account_id)
);
create index announcement_reactions_by on announcement_reactions (account_id);
