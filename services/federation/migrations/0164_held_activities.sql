-- expand: letters of servers that answer slowly wait for their turn without a message on the bus

-- The tick `release-activities` deletes rows, and queues the work in the same transaction.
create table held_activities (
  -- in inbox_activities
  id bigint primary key,
  -- the registered name that the host of its actor stands below
  site text not null,
  -- how often work on it was begun before
  tries smallint not null,
  due_at timestamptz not null
);
create index held_activities_site on held_activities (site, due_at);
