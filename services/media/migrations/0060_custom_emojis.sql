-- expand: custom emoji of this server

-- Some thousands at most; a row goes when an operator removes the emoji.
create table custom_emojis (
  -- As it was given; two that differ in case are two.
  shortcode text primary key,
  picture_id bigint not null references pictures,
  category text,
  visible_in_picker boolean not null default true,
  disabled boolean not null default false,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index custom_emojis_picture on custom_emojis (picture_id);
