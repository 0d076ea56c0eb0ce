-- expand: filters of people, by keyword and by status
create table filters (
  id bigint primary key,
  account_id bigint not null,
  title text not null,
  -- home, notifications, public, thread, account
  context text[] not null,
  action text not null check (action in ('warn', 'hide', 'blur')),
  -- an expired filter stays listed and is not applied
  expires_at timestamptz
);
create index filters_account on filters (account_id, id);

create table filter_keywords (
  id bigint primary key,
  filter_id bigint not null references filters on delete cascade,
  keyword text not null,
  whole_word boolean not null
);
create index filter_keywords_filter on filter_keywords (filter_id, id);

-- Rows of statuses that are erased stay until the filter goes; they match nothing.
create table filter_statuses (
  id bigint primary key,
  filter_id bigint not null references filters on delete cascade,
  status_id bigint not null,
  unique (filter_id, status_id)
);

-- One row for each person who ever made a filter. The revision changes with every change of theirs, so that what was
-- compiled from an older one is never used; who has no row has no filters. Filters and this go with the account.
create table filter_sets (
  account_id bigint primary key,
  rev bigint not null
);
