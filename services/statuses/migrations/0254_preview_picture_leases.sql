-- expand: leases of preview cards while their picture is stored or deleted, so that no card shows a picture that is being deleted

-- `name` is the id of a card, or the address of its page. Rows of dead workers are taken over after `ends_at`.
create table preview_picture_leases (
  name text primary key,
  token bigint not null,
  ends_at timestamptz not null
);
