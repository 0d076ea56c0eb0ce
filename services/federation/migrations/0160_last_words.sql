-- expand: what an actor said last of a thing, so that what it said before and comes later does nothing

-- The tick `forget-activities` deletes rows after a week, and those of servers that began again go at once.
create table last_words (
  -- SHA-256 of the actor and the thing
  key bytea primary key,
  actor text not null,
  -- when its actor signed it; the beginning of time for what somebody passed on
  signed_at timestamptz not null,
  -- the thing is over for good
  ended boolean not null default false,
  -- the activity that is being worked on now, with when it was kept, and how long others wait for it
  holder text,
  held_until timestamptz,
  at timestamptz not null default now()
);
create index last_words_at on last_words (at);
create index last_words_actor on last_words (actor);
