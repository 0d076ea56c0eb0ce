-- expand: actor ids of suspended remote accounts whose data staff deleted, so that they are suspended when they are stored again

-- Deleted when the account is stored again, which is then suspended itself, and when the domain block that suspended it is removed.
create table suspended_actors (
  uri text primary key,
  suspended_at timestamptz not null,
  -- Like accounts.suspended_by.
  suspended_by text not null
);
create index suspended_actors_stamp on suspended_actors (suspended_by);
