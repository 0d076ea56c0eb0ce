-- expand: the names of hashtags that staff made unusable, as last announced; one row
create table unusable_tags (
  id boolean primary key default true check (id),
  names text[] not null,
  listed_at timestamptz not null
);
