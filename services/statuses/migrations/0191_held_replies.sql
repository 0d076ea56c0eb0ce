-- expand: who may answer a status of another server, and answers of people here that wait for its author's approval

-- Only where not everybody may answer freely. Goes with the status.
create table reply_policies (
  status_id bigint primary key,
  -- {"automatic": [...], "manual": [...]}: "public", "followers", "following", or the id of an actor
  policy jsonb not null
);
-- While one is held back its status has visibility 4, which only its author sees. The row stays when it is let go, and goes with the answer.
create table held_replies (
  status_id bigint primary key,
  -- for whom it was written
  visibility smallint not null,
  -- it was let go once, and everybody heard of it
  told boolean not null default false
);
